// The dotted modifiers of an instruction, taken one by one; what nobody takes is not understood.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vgpu/exec/decode/ir.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::exec {

class Suffixes {
 public:
  explicit Suffixes(const std::vector<std::string>& names) : names_(names.begin(), names.end()) {}

  /// Removes `name` when it is there.
  bool take(std::string_view name) {
    for (auto at = names_.begin(); at != names_.end(); ++at) {
      if (*at == name) {
        names_.erase(at);
        return true;
      }
    }
    return false;
  }

  /// Removes the first of `choices` that is there and returns what it stands for.
  template <class Meaning>
  std::optional<Meaning> take_one(std::initializer_list<std::pair<std::string_view, Meaning>> choices) {
    for (const auto& [name, meaning] : choices) {
      if (take(name)) return meaning;
    }
    return std::nullopt;
  }

  /// Removes every suffix that begins with `prefix` (cache hints and the like, which change no result).
  void drop(std::string_view prefix) {
    std::erase_if(names_, [&](std::string_view name) { return name.starts_with(prefix); });
  }

  /// Removes and returns the first type name.
  std::optional<ptx::Type> take_type() {
    for (auto at = names_.begin(); at != names_.end(); ++at) {
      if (const std::optional<ptx::Type> type = ptx::type_from_name(*at)) {
        names_.erase(at);
        return type;
      }
    }
    return std::nullopt;
  }

  bool empty() const { return names_.empty(); }

 private:
  std::vector<std::string_view> names_;
};

}  // namespace cudalabs::vgpu::exec
