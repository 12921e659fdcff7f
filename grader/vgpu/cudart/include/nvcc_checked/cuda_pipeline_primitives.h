// For nvcc's checked build: NVIDIA's cuda_pipeline_primitives.h, with copies that are asynchronous.
#pragma once

// By the search path: what comes next is looked for behind this folder.
#include <cuda_pipeline_helpers.h>

#include_next <cuda_pipeline_primitives.h>
