#!/bin/bash
set -e
bisheng -c -x asc twice.cpp -o twice.o --npu-arch=dav-2201
g++ -c main.cpp -o main.o -I${ASCEND_HOME_PATH}/include
bisheng twice.o main.o -o demo -L${ASCEND_HOME_PATH}/lib64 -lascendcl -lruntime
