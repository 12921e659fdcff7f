// Version numbers for programs that ask; the driver API itself is not offered.
#pragma once

#define CUDA_VERSION 13000
