// The text that a compiler has refused, for who reads its errors.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source/function_text.h"
#include "vgpu/finding.h"

namespace cudalabs::builder {

/// Where a function's name stands in its definition, and what stands before it: "static __global__ void".
struct Definition {
  std::uint32_t line = 0, column = 0;
  std::string head;
};

class ErrorSource {
 public:
  /// `file`: how the compiler's messages name it, or the end of that. `header` is the name of the contract's header.
  ErrorSource(std::string_view text, std::string file, std::string header);
  ErrorSource(const ErrorSource&) = delete;
  ErrorSource& operator=(const ErrorSource&) = delete;

  /// A place in this text.
  bool has(const SourcePlace& place) const;
  /// As it was written; empty: it is not in this text.
  std::string_view line(const SourcePlace& place) const;
  /// Without comments. Columns may be others.
  std::string_view code_line(const SourcePlace& place) const;
  const std::string& code() const { return code_; }
  /// The last line with code before `line`, and its number; 0: there is none.
  std::pair<std::uint32_t, std::string_view> code_before(std::uint32_t line) const;
  const std::string& header() const { return header_; }
  /// Of the file, without folders.
  std::string_view file_name() const;

  const FunctionBody* function_around(const SourcePlace& place) const;
  /// Of the only function of that name.
  std::optional<Definition> definition(std::string_view name) const;
  bool is_kernel(std::string_view name) const;
  /// The place is in a function of the device.
  bool is_in_device_code(const SourcePlace& place) const;
  /// Somewhere the name is launched, by "<<<".
  bool is_launched(std::string_view name) const;

 private:
  std::string_view text_;
  std::string code_, file_, header_;
  std::vector<std::string_view> lines_, code_lines_;
  std::vector<FunctionBody> functions_;
  mutable std::map<std::string, std::optional<Definition>> definitions_;  // that were looked up
};

/// Of "add<<<" or "add<float><<<", the name before the first of them in that text; empty: there is none.
std::string_view launched_in(std::string_view code);

}  // namespace cudalabs::builder
