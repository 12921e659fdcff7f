// The real GPU as far as a verdict on speed needs it.
#pragma once

#include <string>

#include "build/builder.h"

namespace cudalabs::speed {

struct GpuFacts {
  std::string name;          // "NVIDIA H200"
  std::string driver;        // "580.159.04"
  std::string device_class;  // "h200", or "any" for one that no thresholds are written for
  double peak_float32 = 0;   // operations a second, a fused multiply-add being two
};

/// Asks the driver for names, and a program of the grader's own on the GPU for figures. Throws GpuUnfit.
GpuFacts gpu_facts(const Toolchain& nvcc);

/// "h200" for "NVIDIA H200 NVL"; "any" for what no named GPU is part of.
std::string device_class_of(const std::string& name);

}  // namespace cudalabs::speed
