import numpy as np

text = open("stdout.txt").read()
assert "code 507014" in text or "code 507034" in text, text
report = open("stderr.txt").read()
assert "demo.asc:" in report and "CrossCoreWaitFlag" in report, report
print("test pass")
