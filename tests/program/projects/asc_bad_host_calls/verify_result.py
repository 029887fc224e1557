import numpy as np

lines = open("stdout.txt").read().splitlines()
golden = ["init 100002", "size 1", "copy 1", "good 0", "free 0", "twice 1", "null 1", "foreign 1", "device 1"]
assert lines == golden, lines
print("test pass")
