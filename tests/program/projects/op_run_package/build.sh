#!/bin/bash
# Builds the package, installs it, and builds a program on what was installed.
set -e
cd "$(dirname "$0")"
cmake -S . -B build_out --preset=default
cmake --build build_out --target binary package -j2
./build_out/custom_opp_*.run --install-path="$PWD/installed"
atc --singleop=scale_custom.json --output=models --soc_version=Ascend910B1
source installed/vendors/mine/bin/set_env.bash
g++ -std=c++17 demo/main.cpp -o demo.bin -I"$ASCEND_HOME_PATH/include" \
    -Iinstalled/vendors/mine/op_api/include -Linstalled/vendors/mine/op_api/lib \
    -L"$ASCEND_HOME_PATH/lib64" -lcust_opapi -lnnopbase -lascendcl \
    -Wl,-rpath,"$PWD/installed/vendors/mine/op_api/lib"
rm -r demo && mv demo.bin demo
