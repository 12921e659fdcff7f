// The steps of a ladder: every step defines the same function, so each is a library of its own, with local symbols.
#include "steps.h"

#include <dlfcn.h>

#include <algorithm>
#include <stdexcept>

namespace cudalabs::ladder {

std::vector<Step> load_steps(const std::filesystem::path& folder, const std::string& symbol) {
  std::vector<std::filesystem::path> libraries;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".so") libraries.push_back(entry.path());
  }
  if (libraries.empty()) throw std::runtime_error("no step in " + folder.string());
  std::sort(libraries.begin(), libraries.end());
  std::vector<Step> steps;
  for (const auto& library : libraries) {
    void* handle = dlopen(std::filesystem::absolute(library).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) throw std::runtime_error(dlerror());
    void* function = dlsym(handle, symbol.c_str());
    if (function == nullptr) throw std::runtime_error(dlerror());
    steps.push_back({library.stem().string(), function});
  }
  return steps;
}

}  // namespace cudalabs::ladder
