// Numbers and types.
#include "acl/acl_base.h"
#include "vinci/float_bits.h"

extern "C" {

float aclFloat16ToFloat(aclFloat16 value) { return vinci::float_of_half(value); }
aclFloat16 aclFloatToFloat16(float value) { return vinci::half_of_float(value); }

// Types of less than a byte count as one.
size_t aclDataTypeSize(aclDataType type) {
  switch (type) {
    case ACL_COMPLEX128: return 16;
    case ACL_INT64:
    case ACL_UINT64:
    case ACL_DOUBLE:
    case ACL_COMPLEX64: return 8;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
    case ACL_COMPLEX32: return 4;
    case ACL_FLOAT16:
    case ACL_INT16:
    case ACL_UINT16:
    case ACL_BF16: return 2;
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_BOOL:
    case ACL_INT4:
    case ACL_UINT1:
    case ACL_HIFLOAT8:
    case ACL_FLOAT8_E5M2:
    case ACL_FLOAT8_E4M3FN:
    case ACL_FLOAT8_E8M0:
    case ACL_FLOAT6_E3M2:
    case ACL_FLOAT6_E2M3:
    case ACL_FLOAT4_E2M1:
    case ACL_FLOAT4_E1M2: return 1;
    case ACL_STRING:
    case ACL_DT_UNDEFINED: break;
  }
  return 0;
}

}  // extern "C"
