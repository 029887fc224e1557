import numpy as np

text = open("stdout.txt").read()
assert "desc=5" in text and "data_type=float32" in text and "position=UB" in text, text
assert "desc=6" in text and "position=GM" in text, text
numbers = ", ".join(f"{i * 0.5:.6f}" for i in range(8))
assert f"[{numbers}]" in text, text
print("test pass")
