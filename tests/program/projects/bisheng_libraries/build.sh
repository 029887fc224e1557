#!/bin/bash
set -e
bisheng -lib twice.asc -o libtwice.a --npu-soc=Ascend910B3
bisheng -shared -fPIC twice.asc -o libshared_twice.so --npu-soc=Ascend910B3
g++ main.cpp -o demo_static -I${ASCEND_HOME_PATH}/include -L. -ltwice -L${ASCEND_HOME_PATH}/lib64 -lascendcl
g++ main.cpp -o demo -I${ASCEND_HOME_PATH}/include -L. -lshared_twice -L${ASCEND_HOME_PATH}/lib64 -lascendcl -Wl,-rpath,"$PWD"
./demo_static
