// Asynchronous copies from global to shared memory; cuda/pipeline has them as C++ objects.
#pragma once

#include "cuda_pipeline_primitives.h"
