// The generators by lab folder; filled before main() by what each lab's file registers.
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
Function registered(std::string_view slug) {
  const auto found = registry<Function>().find(slug);
  return found == registry<Function>().end() ? nullptr : found->second;
}

template <typename Function>
void add(std::string_view slug, Function generator) {
  if (!registry<Function>().emplace(slug, generator).second) {
    throw std::logic_error("two generators are registered for " + std::string(slug));
  }
}

}  // namespace

Generator generator_for(std::string_view slug) {
  return registered<Generator>(slug);
}

RegisterGenerator::RegisterGenerator(std::string_view slug, Generator generator) {
  add(slug, generator);
}

PictureGenerator picture_generator_for(std::string_view slug) {
  return registered<PictureGenerator>(slug);
}

RegisterPictureGenerator::RegisterPictureGenerator(std::string_view slug, PictureGenerator generator) {
  add(slug, generator);
}

Recompute host_arrays_of(std::string_view slug) {
  return registered<Recompute>(slug);
}

RegisterHostArrays::RegisterHostArrays(std::string_view slug, Recompute recompute) {
  add(slug, recompute);
}

}  // namespace cudalabs::datasets
