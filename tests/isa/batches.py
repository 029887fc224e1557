"""Many rules of one instruction in a few launches: the legal cases, and those of each code."""

from cases import check, check_refused, difference, launch


def refused(subject, chip, cases, code):
    """All cases, one block each, are reported with `code` and leave memory as it was."""
    run = launch(subject, chip, cases)
    assert run.report is not None, f"exit {run.code}\n{run.stdout}{run.stderr}"
    told = [fault for fault in run.faults if fault["code"] == code]
    if {fault["code"] for fault in run.errors} - {code} or \
            sum(fault["count"] for fault in told) != len(cases):
        return False
    for case, image, got in zip(cases, run.images, run.outputs[0]):
        want = subject.untouched(case, chip, image)
        if ((got != want) & subject.compared(case, got, want)).any():
            return False
    return True


def check_rules(subject, chip, rules):
    """Pairs of a case and its code; None for a case that is legal and must be right."""
    legal = [case for case, code in rules if code is None]
    if legal:
        check(subject, chip, legal)
    for code in sorted({code for _, code in rules if code is not None}):
        cases = [case for case, wanted in rules if wanted == code]
        for case in cases:
            assert not subject.legal(case, chip), f"the oracle calls this legal: {case}"
        check_refusals(subject, chip, cases, code)


def check_refusals(subject, chip, cases, code):
    """Each case is refused with `code`. In halves if not all are in one launch, which ends at its
    twentieth place with a fault; one by one where the first fault ends a launch."""
    if len(cases) == 1 or code[1] in "67":
        for case in cases:
            check_refused(subject, chip, case, code)
    elif not refused(subject, chip, cases, code):
        half = len(cases) // 2
        check_refusals(subject, chip, cases[:half], code)
        check_refusals(subject, chip, cases[half:], code)


def check_told(subject, chip, cases, code):
    """All cases, one block each, are legal and right, and each is told with the warning `code`."""
    for case in cases:
        assert subject.legal(case, chip), f"the oracle refuses this: {case}"
    run = launch(subject, chip, cases)
    assert run.report is not None, f"exit {run.code}\n{run.stdout}{run.stderr}"
    assert run.code == 0 and {*run.codes} == {code}, f"{chip}: {run.codes}\n{run.stderr}"
    assert sum(fault["count"] for fault in run.faults) == len(cases)
    assert all(fault["severity"] == "warning" for fault in run.faults)
    for case, image, got in zip(cases, run.images, run.outputs[0]):
        assert difference(subject, chip, case, image, got) is None, f"{chip} {case}"
    return run
