"""The numbers that the page prints for its two samples."""

import pathlib


def printed(sample):
    """The lists of numbers of sample_1.txt or sample_2.txt, in their order, as texts."""
    lists = []
    path = pathlib.Path(__file__).resolve().parent / f"sample_{sample}.txt"
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            lists.append([])
        else:
            lists[-1] += line.split()
    return [numbers for numbers in lists if numbers]


def report(sample, result, expected):
    """Says how many values are as printed; ends the script if not all are."""
    same = int((result == expected).sum())
    print(f"sample {sample}: {same} of {expected.size} values as printed")
    if same != expected.size:
        raise SystemExit(1)
