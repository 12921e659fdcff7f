// For nvcc's checked build: NVIDIA's cuda_pipeline.h, with copies that are asynchronous.
#pragma once

#include_next <cuda_pipeline.h>
#include "cuda_pipeline_primitives.h"
