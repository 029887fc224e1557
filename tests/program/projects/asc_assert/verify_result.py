import numpy as np

text = open("stdout.txt").read()
assert "first 0\n" in text, text
assert "second 507016\n" in text or "second 507036\n" in text, text
assert "[ASSERT]" in text and "number is 10" in text, text
print("test pass")
