import numpy as np

lines = open("stdout.txt").read().splitlines()
for words in ["number 77, hex 4d, float 1.500000, done", "second 78", "third 79"]:
    assert sum(line.endswith(words) and line.startswith("[AIV Block 1/2]") for line in lines) == 1, lines
assert lines[-1] == "host is done"
print("test pass")
