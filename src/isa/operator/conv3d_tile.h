// What an object for gradients of a convolution of volumes makes when it is called: a tile in L0C,
// or what of one lies in GM.
#pragma once

#include "isa/operator/atomic_output.h"
#include "vinci/record/conv3d_backprop.h"

namespace vinci::isa {

// Iterate multiplies the tile. GetTensorC writes it, and multiplies it again where it is not in L0C
// any more. PRODUCT is Conv3dProduct or Conv3dFilterProduct.
template <class PRODUCT, class TILE>
void make_tile(const Conv3dTileRecord& r, PRODUCT& product, const TILE& tile, Core& core) {
  const bool iterates = r.call == Conv3dTileRecord::Call::kIterate;
  if (iterates || !product.is_kept(tile)) product.multiply(tile);
  if (iterates) {
    *r.has_tile = true;
  } else {
    using Op = AtomicRegister::Op;
    AtomicOutput atomic(r.atomic == 1 ? Op::kAdd : Op::kNone, r.output.dtype, core);
    product.write(tile);
    atomic.end();
  }
  product.end();
}

}  // namespace vinci::isa
