#!/bin/bash
# As generators do: a library that starts a kernel of AICs and AIVs with the address of their flags, a
# binary that the runtime below acl loads, and a program in C that calls no acl.
set -e
bisheng --cce-aicore-arch=dav-c220 -O2 -std=c++17 -xcce -fPIC --shared generated.cpp -o libgenerated.so \
    -L${ASCEND_HOME_PATH}/lib64 -lruntime -lascendcl
bisheng -shared -fPIC -xcce scale.cpp -o scale.o --npu-arch=dav-2201
gcc main.c -o demo -I${ASCEND_HOME_PATH}/include/experiment/runtime -I${ASCEND_HOME_PATH}/include \
    -L. -lgenerated -Wl,-rpath,'$ORIGIN' -L${ASCEND_HOME_PATH}/lib64 -lruntime
