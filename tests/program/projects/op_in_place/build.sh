#!/bin/bash
# Installs the package as an archive, and builds a program with it.
set -e
cd "$(dirname "$0")"
cmake -S op -B build-op -DCMAKE_INSTALL_PREFIX="$PWD/installed"
cmake --build build-op --target binary install
cmake -S app -B build-app -DCMAKE_PREFIX_PATH="$PWD/installed"
cmake --build build-app
cp build-app/demo demo
