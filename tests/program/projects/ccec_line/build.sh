#!/bin/bash
set -e
ccec -xcce twice.cpp -x c++ main.cpp -o demo --cce-aicore-arch=dav-m200 \
    -I${ASCEND_HOME_PATH}/acllib/include -I${ASCEND_HOME_PATH}/compiler/tikcpp/tikcfw \
    -I${ASCEND_HOME_PATH}/compiler/tikcpp/tikcfw/impl -O2 -std=c++17 \
    -L${ASCEND_HOME_PATH}/runtime/lib64 -lruntime -lascendcl
