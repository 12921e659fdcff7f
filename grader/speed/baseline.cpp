#include "speed/baseline.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "sandbox/own_files.h"

namespace cudalabs::speed {
namespace {

struct Pinned {
  const char *name, *words, *stem, *function;
  bool on_host = false;
};
constexpr std::array kPinned = {
    Pinned{"copy", "a copy within the device", "copy", "copy_floats"},
    Pinned{"coalesced_product", "a naive product with coalesced accesses", "product", "pinned_product"},
    Pinned{"uncoalesced_product", "a naive product with uncoalesced accesses", "product", "pinned_product"},
    Pinned{"host_product", "a product on one core of the host", "product", "pinned_product", true}};

const Pinned& find(const std::string& name) {
  const auto* found = std::ranges::find(kPinned, name, &Pinned::name);
  if (found == kPinned.end()) throw std::runtime_error("there is no baseline called " + name);
  return *found;
}

}  // namespace

Lab baseline_lab(const std::string& name) {
  const Pinned& pinned = find(name);
  Lab lab;
  lab.id = name;
  lab.slug = name;
  lab.title = pinned.words;
  lab.folder = sandbox::own_files().file("baselines") / name;
  lab.contract.header = std::string(pinned.stem) + ".h";
  lab.contract.source = std::string(pinned.stem) + ".cu";
  lab.contract.functions = {pinned.function};
  return lab;
}

std::string describe_baseline(const std::string& name) {
  return find(name).words;
}

bool works_on_host(const std::string& name) {
  return find(name).on_host;
}

std::filesystem::path built_baseline(const Lab& lab, const Toolchain& toolchain, Device device) {
  BuildRequest request;
  request.lab = &lab;
  request.source = lab.folder / lab.contract.source;
  request.frontend = toolchain.frontend;
  request.device = device;
  request.kind = BuildKind::fast;
  const BuildResult built = build(request, toolchain);
  if (!built.ok) throw std::runtime_error("the grader's own baseline does not compile:\n" + built.diagnostics);
  return built.runner;
}

std::unique_ptr<datasets::TimedWork> timed_work(const std::string& name,
                                                const std::map<std::string, std::int64_t>& parameters) {
  const datasets::TimedWorkMaker make = datasets::timed_work_for(name);
  if (make == nullptr) throw std::runtime_error("nothing is known of how to time " + name);
  return make(parameters);
}

std::vector<std::string> baseline_names() {
  std::vector<std::string> names;
  for (const Pinned& pinned : kPinned) names.emplace_back(pinned.name);
  return names;
}

}  // namespace cudalabs::speed
