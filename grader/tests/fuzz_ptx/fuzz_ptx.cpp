// Fuzz target: any text is a module or a ParseError; and what is a module can be printed, and means the same when read
// again.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "print.h"

using namespace cudalabs::vgpu::ptx;

namespace {

// Printing spells out initial values and the registers of a range, so a short text could print as a huge one.
bool is_small(const Module& module) {
  std::uint64_t bytes = 0;
  for (const Variable& variable : module.variables) bytes += variable.initial.size();
  for (const Function& function : module.functions) {
    for (const Variable& variable : function.variables) bytes += variable.initial.size();
  }
  return bytes < 4096;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Module module;
  try {
    module = parse(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const ParseError&) {
    return 0;
  }
  if (!is_small(module)) return 0;
  // Printing declares functions first, which can make names in bodies unique that were not; from then on it is stable.
  std::string once;
  std::string twice;
  try {
    once = print(parse(print(module)));
    twice = print(parse(once));
  } catch (const ParseError& error) {
    std::fprintf(stderr, "printed text is refused: %s\n%s\n", error.what(), print(module).c_str());
    std::abort();
  }
  if (once != twice) {
    std::fprintf(stderr, "printing is not stable:\n%s\n--- and then\n%s\n", once.c_str(), twice.c_str());
    std::abort();
  }
  return 0;
}
