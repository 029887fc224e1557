#!/bin/bash
set -e
bisheng add_custom.asc -o demo --npu-arch=dav-2201 -O2 -std=c++17
