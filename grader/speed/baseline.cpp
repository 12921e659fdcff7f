// The pinned baselines, from their folders.
#include "speed/baseline.h"

#include <algorithm>
#include <stdexcept>

#include "lab/lab_keys.h"
#include "lab/read_contract.h"
#include "lab/toml_reader.h"
#include "sandbox/own_files.h"

namespace cudalabs::speed {
namespace {

namespace fs = std::filesystem;

constexpr const char* kData = "baseline.toml";

fs::path root() {
  return sandbox::own_files().file("baselines");
}

}  // namespace

std::vector<std::string> baseline_names() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(root())) {
    if (fs::is_regular_file(entry.path() / kData)) names.push_back(entry.path().filename());
  }
  std::ranges::sort(names);
  return names;
}

Baseline read_baseline(const std::string& name) {
  const std::vector<std::string> names = baseline_names();
  if (std::ranges::find(names, name) == names.end()) throw std::runtime_error("there is no baseline called " + name);
  Baseline baseline;
  baseline.name = name;
  baseline.program.folder = root() / name;
  const TomlFile file(baseline.program.folder / kData);
  TableReader top = file.top(baseline_keys());
  baseline.title = top.text("title").value;
  baseline.work = top.text("work").value;
  baseline.on_host = top.flag_or("on_host", false);
  baseline.copies = top.flag_or("copies", false);
  baseline.program.contract = read_contract(top.table("contract"), baseline.program.folder);
  top.finish();
  return baseline;
}

fs::path built_baseline(const Baseline& baseline, const Toolchain& toolchain, Device device) {
  BuildRequest request;
  request.program = &baseline.program;
  request.source = baseline.program.folder / baseline.program.contract.source;
  request.frontend = toolchain.frontend;
  request.device = device;
  request.kind = BuildKind::fast;
  const BuildResult built = build(request, toolchain);
  if (!built.ok) throw std::runtime_error("the grader's own baseline does not compile:\n" + built.diagnostics);
  return built.runner;
}

std::unique_ptr<datasets::TimedWork> timed_work(const std::string& work,
                                                const std::map<std::string, std::int64_t>& parameters) {
  const datasets::TimedWorkMaker make = datasets::timed_work_for(work);
  if (make == nullptr) throw std::runtime_error("nothing is known of how to time " + work);
  return make(parameters);
}

}  // namespace cudalabs::speed
