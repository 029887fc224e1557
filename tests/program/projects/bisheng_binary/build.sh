#!/bin/bash
set -e
bisheng -shared -fPIC kernels.asc -o kernels.o --npu-arch=dav-2201
bisheng -c kernels.asc -o relocatable.o --npu-arch=dav-2201
g++ main.cpp -o demo -I${ASCEND_HOME_PATH}/include -L${ASCEND_HOME_PATH}/lib64 -lacl_rt
