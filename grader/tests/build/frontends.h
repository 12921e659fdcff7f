// The compilers that are installed, one after the other.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "build/builder.h"
#include "catch.h"

namespace cudalabs::testing {

/// The toolchain when `name` is the compiler.
inline std::optional<Toolchain> toolchain_called(const char* name) {
  setenv("CUDALABS_CLANG", name, 1);
  auto found = find_toolchain(Frontend::clang);
  unsetenv("CUDALABS_CLANG");
  return found;
}

/// Runs `body` once for each compiler that is installed.
template <typename Body>
void with_each_frontend(Body body) {
  std::vector<std::pair<std::string, std::optional<Toolchain>>> all;
  for (const char* name : {"clang++-14", "clang++-16", "clang++-19"}) all.emplace_back(name, toolchain_called(name));
  all.emplace_back("nvcc", find_toolchain(Frontend::nvcc));
  if (!all.back().second) WARN("nvcc is not installed: skipped");
  REQUIRE(std::ranges::any_of(all, [](const auto& each) { return each.second.has_value(); }));
  for (const auto& [name, toolchain] : all) {
    if (!toolchain) continue;
    DYNAMIC_SECTION(name) {
      body(*toolchain);
    }
  }
}

}  // namespace cudalabs::testing
