#!/bin/bash
set -e
bisheng -dc kernels.asc -o kernels.o --npu-arch=dav-2201
bisheng -dc main.asc -o main.o --npu-arch=dav-2201
bisheng main.o kernels.o -o demo --npu-arch=dav-2201
