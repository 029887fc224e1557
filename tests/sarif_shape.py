"""What SARIF 2.1.0 asks of the objects that vinci writes, from its JSON schema: names that may stand in
an object, those that must, and what holds between them."""

import re

# Object: names that must be there, then those that may, each with the object or list of objects
# behind it.
SHAPES = {
    "log": ("version runs", {"$schema": None, "version": None, "runs": ["run"]}),
    "run": ("tool", {"tool": "tool", "invocations": ["invocation"], "results": ["result"],
                     "originalUriBaseIds": None, "columnKind": None}),
    "tool": ("driver", {"driver": "component"}),
    "component": ("name", {"name": None, "version": None, "rules": ["rule"]}),
    "rule": ("id", {"id": None, "shortDescription": "message", "help": "message",
                    "helpUri": None, "defaultConfiguration": "configuration", "properties": None}),
    "configuration": ("", {"level": None}),
    "invocation": ("executionSuccessful", {"executionSuccessful": None, "exitCode": None}),
    "result": ("message", {"ruleId": None, "ruleIndex": None, "kind": None, "level": None,
                           "message": "message", "locations": ["location"],
                           "relatedLocations": ["location"], "stacks": ["stack"],
                           "suppressions": ["suppression"], "occurrenceCount": None,
                           "properties": None}),
    "message": ("text", {"text": None}),
    "location": ("", {"id": None, "physicalLocation": "physical", "message": "message",
                      "logicalLocations": ["logical"]}),
    "physical": ("artifactLocation", {"artifactLocation": "artifact", "region": "region"}),
    "artifact": ("uri", {"uri": None, "uriBaseId": None}),
    "region": ("startLine", {"startLine": None}),
    "logical": ("fullyQualifiedName", {"fullyQualifiedName": None, "kind": None}),
    "stack": ("frames", {"message": "message", "frames": ["frame"]}),
    "frame": ("", {"location": "location"}),
    "suppression": ("kind", {"kind": None, "status": None, "justification": None}),
}
LEVELS = {"none", "note", "warning", "error"}
RELATIVE = re.compile(r"(?:[\w.~/-]|%[0-9A-F]{2})+")  # as RFC 3986, and no scheme


def check_object(shape, value):
    must, may = SHAPES[shape]
    assert isinstance(value, dict), (shape, value)
    assert set(must.split()) <= set(value) <= set(may), (shape, sorted(value))
    for name, inner in value.items():
        if isinstance(may[name], list):
            assert isinstance(inner, list), (shape, name)
            for item in inner:
                check_object(may[name][0], item)
        elif may[name] is not None:
            check_object(may[name], inner)


def locations_of(result):
    """All that a result names."""
    yield from result["locations"] + result["relatedLocations"]
    for stack in result.get("stacks", []):
        yield from (frame["location"] for frame in stack["frames"])


def check_result(result, rules, bases):
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert result["level"] in LEVELS and result["kind"] == "fail" and result["message"]["text"]
    assert result["occurrenceCount"] >= 1
    for location in locations_of(result):
        physical = location["physicalLocation"]
        assert physical["region"]["startLine"] >= 1
        artifact = physical["artifactLocation"]
        if "uriBaseId" in artifact:
            assert artifact["uriBaseId"] in bases and not artifact["uri"].startswith("/")
            assert RELATIVE.fullmatch(artifact["uri"])
        else:
            assert RELATIVE.fullmatch(artifact["uri"].removeprefix("file:///"))
    for suppression in result.get("suppressions", []):
        assert suppression["kind"] in ("external", "inSource")
        assert suppression["status"] == "accepted" and suppression["justification"]


def check(log):
    """Its run, if the log is as SARIF wants it."""
    check_object("log", log)
    assert log["version"] == "2.1.0" and len(log["runs"]) == 1
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert all(rule["defaultConfiguration"]["level"] in LEVELS for rule in rules)
    for base in run["originalUriBaseIds"].values():
        assert base["uri"].startswith("file:///") and base["uri"].endswith("/")
    for result in run["results"]:
        check_result(result, rules, run["originalUriBaseIds"])
    # Where one says whether it is suppressed, all do.
    assert len({"suppressions" in result for result in run["results"]}) <= 1
    return run
