#!/bin/bash
# install.sh FOLDER
mkdir -p "$1" && cp -r "$(dirname "$0")/packages/vendors" "$1"
