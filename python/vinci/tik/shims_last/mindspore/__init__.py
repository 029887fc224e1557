"""What operators for mindspore register themselves with; used only without mindspore, of which any
module and name can be imported then."""

from vinci.tik.absent import PACKAGES, make_getattr

PACKAGES.append(__name__)
__getattr__ = make_getattr(__name__)
