// The random programs that are held, by name.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "generator.h"

namespace cudalabs::conformance {

struct NamedProgram {
  std::string name;  // "together 12": the family, and a seed
  std::function<reference::Program()> make;
};

std::vector<NamedProgram> all_programs();

}  // namespace cudalabs::conformance
