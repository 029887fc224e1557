lines = open("demo.asc").read().splitlines()
kernel = 1 + next(i for i, line in enumerate(lines) if "number = " in line)
host = 1 + next(i for i, line in enumerate(lines) if "printf(" in line)
text = open("stdout.txt").read()
assert text == f"kernel {kernel} host {host}\n", text
print("test pass")
