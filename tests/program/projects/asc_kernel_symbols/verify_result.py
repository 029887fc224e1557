lines = open("stdout.txt").read().splitlines()
golden = ["symbol 0", "launch 0", "launch 0", "50 6 0", "launch 0", "11", "launch 0", "21", "binary 107000"]
assert lines == golden, lines
print("test pass")
