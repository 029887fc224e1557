lines = open("stdout.txt").read().splitlines()
golden = [
    # As the rules for mangled names have them.
    "_ZN4mine3addIfLi64EEEvPT_S2_S1_", "_ZN4mine3addIiLi16EEEvPT_S2_S1_", "_Z5kindsILb1EEvPi",
    "_Z5kindsILb0EEvPi", "defined", "1",
    "0.5 1.5 63.5", "1000 1000 0", "64 65", "-64 -63", "12 -63"]
assert lines == golden, "\n".join(lines)
print("test pass")
