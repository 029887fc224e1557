#!/bin/bash
set -e
g++ main.cpp -o demo -I${ASCEND_HOME_PATH}/include -L${ASCEND_HOME_PATH}/lib64 -lascendcl -lacl_rtc
