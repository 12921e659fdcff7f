#!/bin/sh
# Gradescope runs this once, as root, when it builds the image.
set -eu
sh /autograder/source/install_package.sh /autograder/source
