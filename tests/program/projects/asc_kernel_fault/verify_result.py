import numpy as np

text = open("stdout.txt").read()
assert any(f"code {code}, message yes" in text for code in (507015, 507035)), text
report = open("stderr.txt").read()
assert "demo.asc:" in report and "Adds" in report and "legal" in report, report
print("test pass")
