"""Codes as the documents have them, and a fault of each call that cannot be meant."""
GOLDEN = """
no device 107002 V
no file 100003 V
a folder 100003 V
no path 107000 V
no place 107000
text 100006 V
host code 100006 V
no data 107000 V
0 bytes 107000 V
magic 107000 V
lazy 107000 V
good 0
no name 107000
no kernel 107044 V
no binary 107017 V
entry 207000
symbol 107044 V
good 0
no kernel 107017 V
good 0
no list 107017 V
no value 107000 V
0 bytes 107000 V
good 0
too few 107000 V
good 0
no buffer 107000 V
no place holder 107017 V
0 bytes 107000 V
good 0
3 bytes 107000 V
update 107000 V
no argument 107017 V
not final 107000 V
good 0
good 0
good 0
good 0
after the end 107000 V
reserve 107000 V
good 0
129 arguments 1 V
good 0
good 0
no room 107000 V
no kernel 107017 V
null argument 107000 V
null arguments 107000 V
no blocks 107000 V
no stream 107017 V
few bytes 107000 V
no block 107000 V
place 107000 V
data 107000 V
host memory 107000 V
past the end 107000 V
attribute 107000 V
mode 107000 V
two limits 107000 V
device 107000 V
good 0
good 0
good 0
good 0
kernel 507015
good 0
lazy 0
sizes 207000 V
variable 207000 V
good 0
twice 107017 V
bytes 107017 V
gone 107017 V
""".strip().splitlines()

lines = open("stdout.txt").read().splitlines()
assert lines == [line.removesuffix(" V") for line in GOLDEN], "\n".join(lines)
errors = open("stderr.txt").read()
assert errors.count("error[V8004]") == sum(line.endswith(" V") for line in GOLDEN), errors
assert "the binary has no kernel poot" in errors and "legal: past_the_end, put" in errors, errors
at = next(number for number, line in enumerate(open("kernels.cpp"), 1) if "the report" in line)
assert f"kernels.cpp:{at} in past_the_end\n      block 0, AI Core, MTE3, instruction 2\n  = legal" in errors, errors
print("test pass")
