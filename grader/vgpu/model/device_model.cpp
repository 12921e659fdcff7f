// Reads the GPUs' data files, which are part of the program.
//
// Where the compute capability is 8.0 or higher the runtime keeps 1 KiB of shared memory for each block, so a block can
// opt in to 1 KiB less than a multiprocessor has. A memory clock is half the data rate of a pin, as the runtime reports
// it: bandwidth = 2 * memory_clock_khz * 1000 * memory_bus_bits / 8.
#include "vgpu/model/device_model.h"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "gpu_files.h"

namespace cudalabs::vgpu {
namespace {

/// A data file: a table for each figure, with its value and its source. The files are the project's own, so whatever is
/// wrong with one is a logic_error.
class GpuFile {
 public:
  explicit GpuFile(const GpuText& file) : name_(file.name), table_(toml::parse(file.text)) {}

  template <class Value>
  Value figure(std::string_view name) const {
    const auto value = table_[name]["value"].value<Value>();
    if (!value) throw std::logic_error(std::string(name_) + ".toml: no " + std::string(name));
    return *value;
  }

  std::vector<FigureSource> sources() const {
    std::vector<std::pair<toml::source_index, FigureSource>> by_line;
    for (const auto& [key, node] : table_) {
      by_line.emplace_back(node.source().begin.line,
                           FigureSource{std::string(key.str()), table_[key]["source"].value_or(std::string())});
    }
    std::ranges::sort(by_line, {}, &std::pair<toml::source_index, FigureSource>::first);
    std::vector<FigureSource> sources;
    for (auto& [line, source] : by_line) sources.push_back(std::move(source));
    return sources;
  }

 private:
  std::string_view name_;
  toml::table table_;
};

DeviceModel read(const GpuFile& file) {
  const auto number = [&](std::string_view name) { return file.figure<std::uint32_t>(name); };
  DeviceModel model;
  model.name = file.figure<std::string>("name");
  model.compute_major = number("compute_major");
  model.compute_minor = number("compute_minor");
  model.multiprocessors = number("multiprocessors");
  model.max_threads_per_multiprocessor = number("max_threads_per_multiprocessor");
  model.max_blocks_per_multiprocessor = number("max_blocks_per_multiprocessor");
  model.shared_bytes_per_block_optin = number("shared_kib_per_block_optin") << 10;
  model.shared_bytes_per_multiprocessor = number("shared_kib_per_multiprocessor") << 10;
  model.global_bytes = std::uint64_t{number("global_gib")} << 30;
  model.l2_bytes = number("l2_mib") << 20;
  model.clock_khz = number("clock_khz");
  model.memory_clock_khz = number("memory_clock_khz");
  model.memory_bus_bits = number("memory_bus_bits");
  const auto speed = [&](std::string_view name) { return file.figure<double>(name); };
  model.float32_lanes = speed("float32_lanes");
  model.float64_lanes = speed("float64_lanes");
  model.float64_conversion_lanes = speed("float64_conversion_lanes");
  model.l2_gb_per_second = speed("l2_gb_per_second");
  model.l1_cycles = speed("l1_cycles");
  model.l2_cycles = speed("l2_cycles");
  model.dram_cycles = speed("dram_cycles");
  model.shared_cycles = speed("shared_cycles");
  model.arithmetic_cycles = speed("arithmetic_cycles");
  model.special_cycles = speed("special_cycles");
  model.block_starts_per_microsecond = speed("block_starts_per_microsecond");
  model.launch_microseconds = speed("launch_microseconds");
  return model;
}

bool same_ignoring_case(std::string_view left, std::string_view right) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [&](char a, char b) { return lower(a) == lower(b); });
}

GpuFile file_of(std::string_view name) {
  std::string known;
  for (const GpuText& file : kGpuTexts) {
    if (same_ignoring_case(file.name, name)) return GpuFile(file);
    known.append(known.empty() ? "" : ", ").append(file.name);
  }
  throw std::invalid_argument("unknown device model `" + std::string(name) + "`; known: " + known);
}

}  // namespace

DeviceModel device_model(std::string_view name) {
  return read(file_of(name));
}

std::vector<std::string> device_model_names() {
  std::vector<std::string> names;
  for (const GpuText& file : kGpuTexts) names.emplace_back(file.name);
  return names;
}

std::vector<FigureSource> figure_sources(std::string_view name) {
  return file_of(name).sources();
}

}  // namespace cudalabs::vgpu
