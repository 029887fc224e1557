"""Codes as the documents have them, and a fault of each call that cannot be meant."""
GOLDEN = """
no place 176001 V
no source 176001 V
headers 176001 V
headers 176001 V
outside 176001 V
no program 176000 V
no program 176000 V
no name 176001 V
options 176001 V
null option 176001 V
no chip 176002
good 0
good 0
vinci has no chip of the architecture dav-9999: 1 1
no option 176002
not yet 176000
not yet 176006 V
good 0
good 0
too late 176005 V
unknown 176007 V
no place 176001 V
no place 176001 V
good 0
good 0
good 0
good 0
twice 176000 V
error 176003
good 0
good 0
demo.asc:2:: 1 1
message 1
good 0
arguments 176003
good 0
good 0
good 0
kernel 507035
""".strip().splitlines()

lines = open("stdout.txt").read().splitlines()
assert lines == [line.removesuffix(" V") for line in GOLDEN], "\n".join(lines)
errors = open("stderr.txt").read()
assert errors.count("error[V8004]") == sum(line.endswith(" V") for line in GOLDEN), errors
assert "demo.asc:6 in k\n" in errors, errors
print("test pass")
