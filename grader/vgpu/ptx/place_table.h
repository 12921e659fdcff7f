// Source places as `.loc` gives them, with the calls through which code was inlined.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::ptx {

/// The places of one module, each with a number. 0 is no place. Files have names at the module's end only, so that
/// which place is shown is decided then.
class PlaceTable {
 public:
  /// Of code that was inlined: the function that it is of, and where that was called. The function is told by what the
  /// text calls it, which has to stay.
  struct Inlined {
    std::string_view function;
    std::uint64_t offset = 0;
    Location call;
  };

  void begin_function();
  /// What one `.loc` says; the number of the place.
  std::uint32_t add(const Location& place, const std::optional<Inlined>& inlined);
  /// An instruction stands between what was added and what will be.
  void end_row() { row_.reset(); }

  /// By number: of a place and its callers the innermost that is in no library's file. Where there is none: the
  /// innermost in the file of the outermost.
  std::vector<Location> shown(std::span<const std::string> files) const;

  /// By number, each with the number of its caller.
  const std::vector<InlinedCall>& places() const { return places_; }

 private:
  struct Order {
    bool operator()(const Location& left, const Location& right) const {
      return std::tie(left.file, left.line, left.column) < std::tie(right.file, right.line, right.column);
    }
  };
  using Callee = std::tuple<std::string_view, std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t>;

  std::uint32_t caller_of(const Inlined& inlined);
  std::uint32_t append(const Location& place, std::uint32_t caller);

  std::vector<InlinedCall> places_{1};
  std::map<Location, std::uint32_t, Order> latest_;  // of the function
  std::map<Callee, std::uint32_t> callers_;          // of the function's calls
  std::optional<std::uint32_t> row_;                 // what was added last, with no instruction since
};

}  // namespace cudalabs::vgpu::ptx
