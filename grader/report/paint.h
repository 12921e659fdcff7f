// Colours and signs of terminal output, or their plain stand-ins.
#pragma once

#include <string>
#include <string_view>

#include "report/terminal_style.h"
#include "vgpu/finding.h"

namespace cudalabs {

class Paint {
 public:
  explicit Paint(const TerminalStyle& style) : color_(style.color), unicode_(style.unicode) {}

  std::string bold(std::string_view text) const { return with("1", text); }
  std::string dim(std::string_view text) const { return with("2", text); }
  std::string good(std::string_view text) const { return with("32", text); }
  std::string bad(std::string_view text) const { return with("1;31", text); }
  /// Gutters, arrows and carets.
  std::string frame(std::string_view text) const { return with("1;34", text); }
  std::string in_color_of(Severity severity, std::string_view text) const {
    return with(severity == Severity::error ? "1;31" : severity == Severity::warning ? "1;33" : "1;36", text);
  }

  std::string_view sign(std::string_view unicode, std::string_view ascii) const { return unicode_ ? unicode : ascii; }

 private:
  std::string with(std::string_view code, std::string_view text) const {
    if (!color_ || text.empty()) return std::string(text);
    return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
  }

  bool color_, unicode_;
};

}  // namespace cudalabs
