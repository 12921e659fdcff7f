// The generators by lab folder; filled before main() by the RegisterGenerator of each lab's file.
#include <functional>
#include <stdexcept>

#include "datasets/dataset.h"

namespace cudalabs::datasets {
namespace {

/// Inside a function, so that it exists whichever file's statics come first.
std::map<std::string, Generator, std::less<>>& registry() {
  static std::map<std::string, Generator, std::less<>> generators;
  return generators;
}

}  // namespace

Generator generator_for(std::string_view slug) {
  const auto found = registry().find(slug);
  return found == registry().end() ? nullptr : found->second;
}

RegisterGenerator::RegisterGenerator(std::string_view slug, Generator generator) {
  if (!registry().emplace(slug, generator).second) {
    throw std::logic_error("two generators are registered for " + std::string(slug));
  }
}

}  // namespace cudalabs::datasets
