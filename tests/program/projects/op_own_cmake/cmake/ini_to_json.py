"""aic-<chip>-ops-info.ini as JSON: {operator: {key: {name: value}}}."""
import configparser
import json
import sys

ini = configparser.ConfigParser()
ini.optionxform = str
ini.read(sys.argv[1])
made = {}
for operator in ini.sections():
    for name, value in ini.items(operator):
        key, _, field = name.partition(".")
        made.setdefault(operator, {}).setdefault(key, {})[field] = value
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump(made, file, indent=1)
