"""tbe.common.utils under the oldest of its names."""

from tbe.common.platform import *  # noqa: F401,F403
from tbe.common.utils.para_check import *  # noqa: F401,F403
from tbe.common.utils.shape_util import *  # noqa: F401,F403
from vinci.tik.absent import make_getattr, pass_through
from vinci.tik.chip import Dprofile

VERSION_MINI, VERSION_CLOUD, VERSION_SHISI = "mini", "cloud", "smallhisi"

fusion_decorator = pass_through


def get_product_version():
    """The chip in force as one of the three versions that the first releases knew."""
    product = Dprofile().get_product_name()
    return VERSION_SHISI if product.startswith("hisi") else {
        "mini": VERSION_MINI}.get(product, VERSION_CLOUD)

__getattr__ = make_getattr(__name__)
