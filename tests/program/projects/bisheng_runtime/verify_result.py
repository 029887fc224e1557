lines = open("stdout.txt").read().splitlines()
device, rest = lines[0], lines[1:]
assert device.startswith("device 0 of ") and ": Ascend910" in device, device
assert int(device.rsplit(" ", 1)[1]) > 0
assert rest == [
    "short 1",
    "call 0",
    "flags 7 7",
    "found 1, unknown 1",
    "scaled 0.5 32 63.5, in time 1",
    "unregistered 1",
], "\n".join(lines)
print("test pass")
