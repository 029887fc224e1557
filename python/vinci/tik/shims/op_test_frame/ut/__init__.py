"""OpUT collects the cases of an operator; run() runs them."""

from vinci.tik.operator_cases import OpUT

BroadcastOpUT = ElementwiseOpUT = ReduceOpUT = OpUT

__all__ = ["BroadcastOpUT", "ElementwiseOpUT", "OpUT", "ReduceOpUT"]
