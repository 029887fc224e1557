#ifndef PROMPT_ATTENTION_CUBE_H
#define PROMPT_ATTENTION_CUBE_H
#include "kernel_operator.h"
#include "lib/matmul_intf.h"
using namespace AscendC;
using namespace matmul;
template <typename T>
using Bmm1 = Matmul<MatmulType<TPosition::GM, CubeFormat::ND, T, false>, MatmulType<TPosition::GM, CubeFormat::ND, T, true>,
                    MatmulType<TPosition::GM, CubeFormat::ND, float>>;
template <typename T>
using Bmm2 = Matmul<MatmulType<TPosition::GM, CubeFormat::ND, T>, MatmulType<TPosition::GM, CubeFormat::ND, T>,
                    MatmulType<TPosition::GM, CubeFormat::ND, T>>;
#endif
