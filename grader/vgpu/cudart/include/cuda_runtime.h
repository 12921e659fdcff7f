// CUDA C++ for clang without a CUDA Toolkit: qualifiers, built-in variables, device functions, the runtime API and its
// C++ forms.
//
// clang's own resource folder has the built-in variables and the math functions over libdevice names; the rest is here.
#pragma once

// NOLINTBEGIN: the names and forms are those of CUDA

#if defined(__CUDA__)
#include <__clang_cuda_math_forward_declares.h>  // must come before <cmath>
#endif

#include "cuda.h"
#include "cuda_runtime_api.h"
#include "vector_functions.h"

#if defined(__CUDA__)
#define __CUDACC__ 1
// Each of these needs those before it.
// clang-format off
#include "cudalabs_device/host_new.h"
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include "cudalabs_device/builtin_variables.h"
#include "cudalabs_device/system.h"
#include "cudalabs_device/new.h"
#include "cudalabs_device/address_spaces.h"
#include "cudalabs_device/math.h"
#include "cudalabs_device/barrier.h"
#include "cudalabs_device/atomics.h"
#include "cudalabs_device/load_store.h"
#include "cudalabs_device/cached_access.h"
#include "cudalabs_device/integer.h"
#include "cudalabs_device/warp.h"
// clang-format on
#endif

#if defined(__cplusplus)
#include "cudalabs_device/runtime_templates.h"
#include "cudalabs_device/textures.h"
#include "cudalabs_device/unsupported_api.h"
#endif

// NOLINTEND
