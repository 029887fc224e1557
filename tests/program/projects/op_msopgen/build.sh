#!/bin/bash
# As projects do that keep an operator's own sources alone: msopgen makes what is around them.
set -e
cd "$(dirname "$0")"
rm -rf CustomOp
msopgen gen -i add_bias.json -c ai_core-Ascend910B1 -lan cpp -out CustomOp
cp -rf AddBias/* CustomOp
(cd CustomOp && bash build.sh)
./CustomOp/build_out/custom_opp_*.run --install-path="$PWD/installed"
vendor=installed/vendors/customize
g++ -std=c++17 demo/main.cpp -o demo.bin -I"$ASCEND_HOME_PATH/include" -I$vendor/op_api/include \
    -L$vendor/op_api/lib -L"$ASCEND_HOME_PATH/lib64" -lcust_opapi -lnnopbase -lascendcl \
    -Wl,-rpath,"$PWD/$vendor/op_api/lib"
rm -r demo && mv demo.bin demo
