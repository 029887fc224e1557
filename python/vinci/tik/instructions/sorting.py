"""Sorting: region proposals (vconcat, vextract, vrpsort16, vmrgsort4), and scores with an index
(vsort32, vmrgsort). Rules: docs/spec/proposal_concat.md and its neighbours."""

from ..error import fail
from ..expr import constant_of, is_integer, json_of
from ..operands import (check_bool, check_in_range, check_repeat_times, check_same_dtype,
                        check_supported, check_tensor)
from ..scalar import Scalar
from ..scope import BLOCK_BYTES, is_integer_dtype, size_of

PROPOSAL = 8         # elements of a region proposal
RECORD_BYTES = 8     # a score and its index
FIELD_MOST = 5
LENGTH_MOST = 4095
QUEUES = 4
VALID_BITS = (3, 7, 15)


def _proposals(tik, api, record, dst, src, repeat_times, more=None):
    if not tik.program.live:
        return
    fields = {"dst": check_tensor(dst, "dst"), "src": check_tensor(src, "src"),
              "repeats": check_repeat_times(repeat_times)}
    check_same_dtype(dst=dst, src=src)
    check_supported(record, api, [dst.dtype], f"dst {dst.dtype} src {src.dtype}")
    if more is not None:
        fields["field"] = check_in_range("mode_number", more, 0, FIELD_MOST)
    tik.program.emit({"do": "call", "instruction": record, "as": api, **fields},
                     inside={"dst": "dst", "src": "src"})


def _valid_bits(valid_bit):
    """A number, or its bits in a string."""
    if isinstance(valid_bit, str):
        if not valid_bit or set(valid_bit) - set("01"):
            fail(f"valid_bit should be int or a str of 0 and 1, input value is {valid_bit}")
        valid_bit = int(valid_bit, 2)
    if isinstance(valid_bit, bool) or not is_integer(valid_bit):
        fail(f"valid_bit should be int or str, input type: {type(valid_bit)}", TypeError)
    number = constant_of(valid_bit)
    if number not in VALID_BITS:
        fail(f"valid_bit should be one of {', '.join(map(str, VALID_BITS))}, input value is "
             f"{number}")
    return int(number)


def _for_each_valid_bit(tik, valid_bit, merge):
    """A Scalar says how many queues count: `merge(number)` for the one that it is."""
    first, *others = VALID_BITS
    with tik.if_scope(valid_bit == first):
        merge(first, judged=False)
    for number in others:
        with tik.elif_scope(valid_bit == number):
            merge(number, judged=False)
    with tik.else_scope():
        tik.program.emit({"do": "check", "as": "vmrgsort4", "value": json_of(valid_bit),
                          "least": first, "most": first, "what": "valid_bit, neither 7 nor 15,"})


def _check_queues(src_list, counts):
    if not isinstance(src_list, (list, tuple)):
        fail(f"src_list should be list or tuple, input type: {type(src_list)}", TypeError)
    if len(src_list) not in counts:
        fail(f"src_list should hold {' or '.join(map(str, counts))} tensors, input length is "
             f"{len(src_list)}")
    for i, src in enumerate(src_list):
        check_tensor(src, f"src_list[{i}]", align=1)


def _lengths(name, lengths, queues):
    """One for each queue, or one for all."""
    if not isinstance(lengths, (list, tuple)):
        lengths = [lengths] * queues
    if len(lengths) != queues:
        fail(f"{name} should hold {queues} values, input length is {len(lengths)}")
    return {f"length{i}": check_in_range(f"{name}[{i}]", length, 0, LENGTH_MOST)
            for i, length in enumerate(lengths)}


class MergeCounts:
    """What vmrgsort4 and vmrgsort return: the register that counts what they took of each queue."""

    def __init__(self, api):
        self.api = api


def _targets(name, scalars):
    """The Scalars that the counts go to."""
    targets = list(scalars) if hasattr(scalars, "__len__") else []
    if len(targets) != QUEUES or not all(
            isinstance(one, Scalar) and is_integer_dtype(one.dtype) for one in targets):
        fail(f"{name} should hold {QUEUES} Scalar(int/uint), input is {scalars}", TypeError)
    return targets


def _read_counts(targets, api):
    for i, target in enumerate(targets):
        target.read_register(f"merged{i}", api)


def _merge(tik, api, record, dst, src_list, name, lengths, suspension, valid, repeat_times,
           scalars, record_bytes, judged=True):
    """`record_bytes(dtype)`: of what the queues hold. Only vmrgsort4 has a valid_bit: `valid`.
    `judged`: whether the merge must stay inside its Tensors, as one of several may not run."""
    if not tik.program.live:
        return
    has_valid_bit = record == "mrg_sort4"
    # Vinci's queues begin at a record; dst of the newer instruction at a datablock.
    counts = (QUEUES,) if has_valid_bit else (2, 3, QUEUES)
    _check_queues(src_list, counts)
    width = record_bytes(src_list[0].dtype)
    fields = {"dst": check_tensor(dst, "dst", align=width if has_valid_bit else BLOCK_BYTES),
              "src": [check_tensor(src, f"src_list[{i}]", align=width)
                      for i, src in enumerate(src_list)]}
    fields.update(_lengths(name, lengths, len(src_list)))
    fields["stop_when_one_is_empty"] = int(check_bool("if_exhausted_suspension", suspension))
    fields["valid"] = _valid_bits(valid) if has_valid_bit else (1 << len(src_list)) - 1
    fields["repeats"] = check_repeat_times(repeat_times)
    queues = fields["valid"].bit_length()  # others are not looked at
    fields["src"] = fields["src"][:queues]
    check_same_dtype(dst=dst, **{f"src_list[{i}]": src for i, src in enumerate(src_list[:queues])})
    check_supported(record, api, [dst.dtype], f"dst {dst.dtype} src {src_list[0].dtype}")
    targets = [] if scalars is None else _targets("vms4_sr_scalar_array", scalars)
    tik.program.emit({"do": "call", "instruction": record, "as": api, **fields},
                     inside={"src": "src_list", "dst": "dst"} if judged else None)
    _read_counts(targets, api)


class Sorting:
    """Mixin of Tik."""

    def vconcat(self, dst, src, repeat_times, mode_number):
        """Field mode_number of 16 proposals a repeat = 16 elements of src."""
        _proposals(self, "vconcat", "proposal_concat", dst, src, repeat_times, mode_number)

    def vextract(self, dst, src, repeat_times, mode_number):
        """16 elements of dst = field mode_number of 16 proposals a repeat."""
        _proposals(self, "vextract", "proposal_extract", dst, src, repeat_times, mode_number)

    def vrpsort16(self, dst, src, repeat_times):
        """The 16 proposals of each repeat, sorted by their scores, the largest first."""
        _proposals(self, "vrpsort16", "rp_sort16", dst, src, repeat_times)

    def vmrgsort4(self, dst, src_list, element_lengths, if_exhausted_suspension, valid_bit,
                  repeat_times=1, vms4_sr_scalar_array=None):
        """Up to four sorted queues of proposals become one; the Scalars get how many of each."""
        def merge(valid, judged=True):
            _merge(self, "vmrgsort4", "mrg_sort4", dst, src_list, "element_lengths",
                   element_lengths, if_exhausted_suspension, valid, repeat_times,
                   vms4_sr_scalar_array, lambda dtype: PROPOSAL * size_of(dtype), judged)

        if self.program.live and is_integer(valid_bit) and constant_of(valid_bit) is None:
            _for_each_valid_bit(self, valid_bit, merge)
        else:
            merge(valid_bit)
        return MergeCounts("vmrgsort4")

    def vsort32(self, dst, src0, src1, repeat_times):
        """The 32 scores of each repeat, the largest first, each with its index from src1."""
        if not self.program.live:
            return
        fields = {"dst": check_tensor(dst, "dst"), "score": check_tensor(src0, "src0"),
                  "index": check_tensor(src1, "src1"),
                  "repeats": check_repeat_times(repeat_times)}
        check_same_dtype(dst=dst, src0=src0)
        if src1.dtype != "uint32":
            fail(f"src1's dtype should be uint32, input is {src1.dtype}", TypeError)
        check_supported("sort32", "vsort32", [dst.dtype], f"dst {dst.dtype} src0 {src0.dtype}")
        self.program.emit({"do": "call", "instruction": "sort32", "as": "vsort32", **fields},
                          inside={"dst": "dst", "score": "src0", "index": "src1"})

    def vmrgsort(self, dst, src_list, element_count_list, if_exhausted_suspension, repeat_times=1,
                 vms4_sr_scalar_array=None):
        """Two to four sorted queues of scores with an index become one."""
        _merge(self, "vmrgsort", "mrg_sort", dst, src_list, "element_count_list",
               element_count_list, if_exhausted_suspension, None, repeat_times,
               vms4_sr_scalar_array, lambda dtype: RECORD_BYTES)
        return MergeCounts("vmrgsort")

    def mov_vmrgsort4_sr_to_scalar(self, scalar_list, vms4_sr):
        """Four Scalars = how many the last merge took of each queue."""
        if not self.program.live:
            return
        if not isinstance(vms4_sr, MergeCounts):
            fail(f"vms4_sr should be what vmrgsort4 returned, input type: {type(vms4_sr)}",
                 TypeError)
        _read_counts(_targets("scalar_list", scalar_list), vms4_sr.api)
