lines = open("stdout.txt").read().splitlines()
assert lines == ["Ascend910B1", "0 wrong", "7 7 7 0x3c"], lines
print("test pass")
