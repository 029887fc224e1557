"""Which conversions Cast has on each generation, and with which round modes.

From the public headers for 1001, 2002 and 2201, from the documents' table for 3002, and from the
TIK page on vec_conv for 1000. The letters: CAST_NONE, RINT, FLOOR, CEIL, ROUND ("a", away from
zero), TRUNC ("z", to zero), ODD.
"""

MODES = {"n": 0, "r": 1, "f": 2, "c": 3, "a": 4, "z": 5, "o": 6}
MODE_NAMES = ["CAST_NONE", "CAST_RINT", "CAST_FLOOR", "CAST_CEIL", "CAST_ROUND", "CAST_TRUNC",
              "CAST_ODD"]

_ARCHS = ["1000", "1001", "2002", "2201", "3002"]
_ROWS = """
half->float        n    n       n       n       n
half->int32        rfc  rfcaz   rfcaz   rfcaz   rfcaz
half->int16        -    -       r       rfcaz   rfcaz
half->int8         n    nfcaz   nfcaz   nrfcaz  nrfcaz
half->uint8        n    nfcaz   nfcaz   nrfcaz  nrfcaz
half->int4         -    -       n       nrfcaz  -
int4->half         -    -       -       n       -
float->half        n    no      no      nrfcazo nrfcazo
float->int32       -    rfcaz   rfcaz   rfcaz   rfcaz
float->int16       -    -       -       rfcaz   rfcaz
float->float       -    -       -       rfcaz   rfcaz
float->bfloat16    -    -       -       rfcaz   rfcaz
float->int64       -    -       -       rfcaz   rfcaz
int8->half         n    n       n       n       n
uint8->half        n    n       n       n       n
int16->half        -    -       n       nrfcaz  nrfcaz
int16->float       -    -       -       n       n
int32->float       -    n       n       nrfcaz  nrfcaz
int32->half        n    nrfcazo nrfcazo nrfcazo n
int32->int16       -    -       n       n       n
int32->int64       -    -       -       n       n
int64->int32       -    -       -       n       n
int64->float       -    -       -       rfcaz   rfcaz
bfloat16->float    -    -       -       n       n
bfloat16->int32    -    -       -       rfcaz   rfcaz
"""


def _parse():
    table = {arch: {} for arch in _ARCHS}
    for line in _ROWS.split("\n"):
        if not line:
            continue
        pair, *columns = line.split()
        src, dst = pair.split("->")
        for arch, modes in zip(_ARCHS, columns, strict=True):
            if modes != "-":
                table[arch][dst, src] = modes
    return table


# TABLE[generation][dst, src] = letters of the modes. The Vector Core of the 310P has no Cast.
TABLE = _parse() | {"2002v": {}}
