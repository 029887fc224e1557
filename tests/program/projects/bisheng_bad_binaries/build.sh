#!/bin/bash
set -e
ccec -c -x cce kernels.cpp -o kernels.o --cce-aicore-arch=dav-m200 --cce-aicore-only
echo "no binary" > text.o
bisheng -shared -fPIC -x c++ main.cpp -o host.o
g++ main.cpp -o demo -I${ASCEND_HOME_PATH}/include -L${ASCEND_HOME_PATH}/lib64 -lascendcl
