"""--check: levels, and lists of tools."""

import json

import numpy as np
import pytest

import harness
from cli_kit import check_usage, run

BASIC, MEMORY, QUEUE, RACE = "V1001", "V1009", "V3007", "V4009"
INIT = "V1013"
STATE, NUMBERS = "V4013", "V2014"
LEGAL = ("legal: strict, full, basic, off, or a list of memory, queue, race, init, state, sync, numbers, "
         "drift, pointers")


def mistakes(folder, *words, kernel="checks.cpp"):
    """The run, and the codes that it found."""
    np.save(folder / "x.npy", np.zeros(64, np.float32))
    done = run(kernel, None, "--json", "r.json", *words, cwd=folder, args=["in:x.npy"])
    report = folder / "r.json"
    return done, json.loads(report.read_text()) if report.exists() else None


@pytest.mark.parametrize("check, codes, name", [
    ("strict", {BASIC, MEMORY, QUEUE, RACE, INIT}, "strict"),
    ("full", {BASIC, MEMORY, QUEUE, RACE, INIT}, "full"),
    ("basic", {BASIC}, "basic"),
    ("memory", {BASIC, MEMORY}, "memory"),
    ("queue", {BASIC, QUEUE}, "queue"),
    ("race", {BASIC, RACE}, "race"),
    ("race,queue", {BASIC, QUEUE, RACE}, "queue,race"),
    ("init", {BASIC, INIT}, "init"),
    ("sync", {BASIC, QUEUE, RACE}, "queue,race"),
    ("memory,memory", {BASIC, MEMORY}, "memory"),
    ("memory,sync", {BASIC, MEMORY, QUEUE, RACE}, "memory,queue,race"),
    ("memory,init,state,sync", {BASIC, MEMORY, QUEUE, RACE, INIT}, "full"),
])
def test_what_is_named_is_found_and_nothing_else(tmp_path, check, codes, name):
    done, report = mistakes(tmp_path, "--check", check)
    assert {fault["code"] for fault in report["faults"]} == codes and done.code == 1
    assert report["check"] == name


@pytest.mark.parametrize("check, codes, name", [
    ("full", {STATE}, "full"), ("strict", {STATE}, "strict"), ("state", {STATE}, "state"),
    ("basic", set(), "basic"), ("full,numbers", {STATE, NUMBERS}, "full,numbers"),
    ("strict,numbers", {STATE, NUMBERS}, "strict,numbers"), ("numbers", {NUMBERS}, "basic,numbers"),
    ("basic,numbers", {NUMBERS}, "basic,numbers"),
    ("numbers,race,state", {STATE, NUMBERS}, "race,state,numbers"),
    ("full,pointers,numbers", {STATE, NUMBERS}, "full,numbers,pointers"),
    ("pointers", set(), "basic,pointers"),
])
def test_what_only_tells(tmp_path, check, codes, name):
    done, report = mistakes(tmp_path, "--check", check, kernel="state.cpp")
    assert {fault["code"] for fault in report["faults"]} == codes and done.code == 0
    assert report["check"] == name


@pytest.mark.parametrize("check", ["", "some", "race,", ",race", "race,,queue", "full,race",
                                   "race,full", "race, queue", "Race", "numbers,full",
                                   "off,numbers", "full,numbers,race"])
def test_anything_else_is_refused_with_what_is_legal(tmp_path, check):
    done, report = mistakes(tmp_path, "--check", check)
    check_usage(done, f"--check {check}; {LEGAL}")
    assert report is None


def test_the_help_says_what_is_legal():
    assert LEGAL.replace("legal: ", "") in " ".join(harness.vinci("run", "--help").stdout.split())
