// The generators by name; filled before main() by what each generator's file registers.
#include <functional>
#include <stdexcept>

#include "datasets/dataset.h"
#include "datasets/host_arrays.h"
#include "datasets/picture.h"

namespace cudalabs::datasets {
namespace {

/// Inside a function, so that it exists whichever file's statics come first.
template <typename Function>
std::map<std::string, Function, std::less<>>& registry() {
  static std::map<std::string, Function, std::less<>> generators;
  return generators;
}

template <typename Function>
Function registered(std::string_view name) {
  const auto found = registry<Function>().find(name);
  return found == registry<Function>().end() ? nullptr : found->second;
}

template <typename Function>
void add(std::string_view name, Function generator) {
  if (!registry<Function>().emplace(name, generator).second) {
    throw std::logic_error("two generators are called " + std::string(name));
  }
}

}  // namespace

Generator generator_for(std::string_view name) {
  return registered<Generator>(name);
}

std::vector<std::string> generator_names() {
  std::vector<std::string> names;
  for (const auto& [name, generator] : registry<Generator>()) names.push_back(name);
  return names;
}

RegisterGenerator::RegisterGenerator(std::string_view name, Generator generator) {
  add(name, generator);
}

PictureGenerator picture_generator_for(std::string_view name) {
  return registered<PictureGenerator>(name);
}

RegisterPictureGenerator::RegisterPictureGenerator(std::string_view name, PictureGenerator generator) {
  add(name, generator);
}

Recompute host_arrays_of(std::string_view name) {
  return registered<Recompute>(name);
}

RegisterHostArrays::RegisterHostArrays(std::string_view name, Recompute recompute) {
  add(name, recompute);
}

}  // namespace cudalabs::datasets
