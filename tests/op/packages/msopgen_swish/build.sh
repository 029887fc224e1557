#!/bin/bash
cmake -S . -B build_out --preset=default
cmake --build build_out --target package
