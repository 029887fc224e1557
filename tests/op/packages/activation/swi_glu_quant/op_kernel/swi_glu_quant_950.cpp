// Of another chip: not compiled.
#error compiled
