// Parts of the runtime API that the virtual GPU does not have: declared, so that a program which uses them compiles and
// gets a finding for each call. The functions take whatever they are given.
#pragma once

#include "graph_types.h"
#include "launch_config.h"
#include "pitched_memory.h"
#include "texture_types.h"

// clang-format off
typedef struct cudaIpcMemHandle_st { char reserved[64]; } cudaIpcMemHandle_t;
typedef struct cudaIpcEventHandle_st { char reserved[64]; } cudaIpcEventHandle_t;
#define cudaIpcMemLazyEnablePeerAccess 0x01
// clang-format on

#define CUDALABS_UNSUPPORTED(name) extern "C" cudaError_t name(...);
#include "unsupported_names.h"
#undef CUDALABS_UNSUPPORTED
