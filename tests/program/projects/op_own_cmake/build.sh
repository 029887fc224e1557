#!/bin/bash
# As older projects do it: their own CMake files, a preset with the toolkit's usual place, cpack.
set -e
cd "$(dirname "$0")"
rm -rf build_out
cmake -S . -B build_out --preset=default
cmake --build build_out --target package -j2
bash build_out/staged/install.sh "$PWD/installed"
vendor=installed/vendors/older
g++ -std=c++17 demo/main.cpp -o demo.bin -I"$ASCEND_HOME_PATH/include" -I$vendor/op_api/include \
    -L$vendor/op_api/lib -L"$ASCEND_HOME_PATH/lib64" -lcust_opapi -lnnopbase -lascendcl \
    -Wl,-rpath,"$PWD/$vendor/op_api/lib"
rm -r demo && mv demo.bin demo
