#error \
    "vinci does not have <tensor_api/tensor.h>: tensors with layouts are not there yet; kernel_operator.h has LocalTensor"
