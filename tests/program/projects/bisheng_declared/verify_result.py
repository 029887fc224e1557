lines = open("stdout.txt").read().splitlines()
golden = ["0", "1100 2200 2201 1101 2202 2203 0 ", "0", "30 " * 8 + "31 " * 8]
assert lines == golden, lines
print("test pass")
