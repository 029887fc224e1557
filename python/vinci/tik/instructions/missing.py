"""Methods of TIK that vinci does not have, so that a script hears what is missing and why.

They are here by name, and take whatever arguments they get: what they do to them no source says.
"""

from ..error import unimplemented
from .elementwise import named

NOT_PUBLISHED = "no published source says what it computes"
MISSING = {
    **dict.fromkeys(("vmrgch", "vcbd", "load_image", "set_cond_task_id", "set_tiling_params",
                     "set_tik_tensor"), NOT_PUBLISHED),
    **dict.fromkeys(("Vector", "vector_load", "vector_store", "vector_cast", "vector_vdup",
                     "vector_vmul", "vector_vintlv", "vector_vdintlv", "vector_vdhistv2"),
                    "vinci has no chip with vector registers of its own"),
    **dict.fromkeys(("scatter_vector_mov", "scatter_vcmp", "scatter_vconv", "scatter_vmulconv"),
                    "no published source says how many datablocks their lists have"),
    "vadddeqrelu": "no published source says in which order it takes its arguments",
    "call_module": "it runs the operator language inside TIK, and vinci runs TIK only",
}


def _missing(name, why):
    def method(self, *_arguments, **_named):
        if self.program.live:
            unimplemented(name, why)

    return named(method, name, f"Not there: {why}.")


Missing = type("Missing", (), {"__doc__": "Mixin of Tik.",
                               **{name: _missing(name, why) for name, why in MISSING.items()}})
