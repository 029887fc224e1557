"""How near results must be."""

from vinci.tik.operator_cases import PrecisionStandard

__all__ = ["PrecisionStandard"]
