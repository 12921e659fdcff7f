// Compares a few bytes at both ends of each launch.
#include "vgpu/kept_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

#include "vgpu/exec/program.h"
#include "vgpu/memory/global_memory.h"

namespace cudalabs::vgpu {
namespace {

constexpr std::uint64_t kMostBytes = 8;  // of a number

/// "sum<float>" and "sum<int>" are instances of one kernel.
std::string_view template_of(std::string_view kernel) {
  return kernel.substr(0, kernel.find('<'));
}

std::vector<std::byte> value_at(std::uint64_t address, std::size_t bytes, const GlobalMemory& memory) {
  std::vector<std::byte> value(bytes);
  // Of a module that was unloaded there is none.
  if (!memory.copy_out(value, address)) value.clear();
  return value;
}

template <class T>
std::string number_in(const std::vector<std::byte>& value) {
  T number{};
  std::memcpy(&number, value.data(), sizeof number);
  return fmt::format("{}", number);
}

std::string text_of(const std::vector<std::byte>& value, bool floating) {
  switch (value.size()) {
    case 1:
      return fmt::format("{}", static_cast<int>(value.front()));
    case 2:
      return number_in<std::int16_t>(value);
    case 4:
      return floating ? number_in<float>(value) : number_in<std::int32_t>(value);
    default:
      return floating ? number_in<double>(value) : number_in<std::int64_t>(value);
  }
}

}  // namespace

void KeptVariables::watch(const Program& program, const GlobalMemory& memory) {
  for (const GlobalVariable& variable : program.variables()) {
    const bool number = variable.size <= kMostBytes && (variable.size & (variable.size - 1)) == 0 && variable.size != 0;
    if (variable.constant || !number || watched_.size() == KeptVariable::kMost) continue;
    const std::vector<std::byte> value = value_at(variable.address, variable.size, memory);
    watched_.push_back(
        {variable_name(variable.name), variable.address, variable.floating, value, value, value, false, {}});
  }
}

void KeptVariables::begin_call(std::uint64_t call) {
  if (call == call_) return;
  call_ = call;
  first_of_call_ = true;
}

void KeptVariables::note(const Watched& variable, std::uint32_t number, const KernelInfo& kernel) {
  const bool known = std::ranges::any_of(seen_, [&](const KeptVariable& kept) {
    return kept.number == number && template_of(kept.kernel) == template_of(kernel.display);
  });
  if (known || seen_.size() == KeptVariable::kMost) return;
  seen_.push_back({variable.name, number, kernel.display, text_of(variable.at_begin, variable.floating),
                   text_of(variable.first, variable.floating)});
}

void KeptVariables::begin_launch(const KernelInfo& kernel, GlobalMemory& memory) {
  for (std::uint32_t number = 0; number < watched_.size(); ++number) {
    Watched& variable = watched_[number];
    variable.at_begin = value_at(variable.address, variable.first.size(), memory);
    variable.by_launch = variable.by_launch && variable.at_begin == variable.at_end;
    const bool kept = !variable.at_begin.empty() && variable.by_launch && variable.at_begin != variable.first &&
                      (first_of_call_ || variable.changed_by.contains(template_of(kernel.display)));
    if (!kept) continue;
    note(variable, number, kernel);
    if ((reset_ >> number & 1) == 0) continue;
    memory.copy_in(variable.address, variable.first);
    variable.at_begin = variable.first;
  }
  first_of_call_ = false;
}

void KeptVariables::end_launch(const KernelInfo& kernel, const GlobalMemory& memory) {
  for (Watched& variable : watched_) {
    variable.at_end = value_at(variable.address, variable.first.size(), memory);
    if (variable.at_end == variable.at_begin) continue;
    variable.by_launch = true;
    if (variable.at_begin == variable.first) variable.changed_by.emplace(template_of(kernel.display));
  }
}

}  // namespace cudalabs::vgpu
