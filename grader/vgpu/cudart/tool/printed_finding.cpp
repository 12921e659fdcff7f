// A finding as text, in the form compilers use.
#include "vgpu/cudart/tool/printed_finding.h"

#include <fmt/format.h>

#include <algorithm>

namespace cudalabs::vgpu {
namespace {

constexpr const char* kSeverityNames[] = {"error", "warning", "advice"};

std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 && c != '\t'; }, '?');
  return text;
}

std::string coordinates_text(const Index3& at) {
  return fmt::format("({}, {}, {})", at[0], at[1], at[2]);
}

/// The place with its source line, indented under a margin as wide as the line number.
std::string excerpt(const SourcePlace& place, const SourceLine& source_line) {
  if (!place.known()) return "";
  const std::string number = std::to_string(place.line);
  const std::string margin(number.size(), ' ');
  std::string text = fmt::format("{}--> {}:{}", margin, printable(place.file), number);
  if (place.column != 0) text += fmt::format(":{}", place.column);
  text += '\n';
  const std::string line = printable(source_line(place.file, place.line));
  if (line.empty()) return text;
  text += fmt::format("{} |\n{} | {}\n", margin, number, line);
  if (place.column != 0 && place.column <= line.size()) {
    // Tabs are kept so that the caret stands under its character however wide they are shown.
    std::string indent = line.substr(0, place.column - 1);
    std::replace_if(
        indent.begin(), indent.end(), [](char c) { return c != '\t'; }, ' ');
    text += fmt::format("{} | {}^\n", margin, indent);
  }
  return text;
}

std::string entity(const std::optional<Index3>& block, const std::optional<Index3>& thread) {
  std::string text;
  if (block) text += " block " + coordinates_text(*block);
  if (thread) text += fmt::format("{} thread {}", block ? "," : "", coordinates_text(*thread));
  return text;
}

}  // namespace

std::string render_diagnostic(const Finding& finding, const SourceLine& source_line) {
  std::string text = fmt::format("{}[{}]: {}\n", kSeverityNames[static_cast<int>(finding.severity)],
                                 printable(finding.id), printable(finding.message));
  text += excerpt(finding.where, source_line);
  std::string facts;
  if (!finding.kernel.empty()) facts += fmt::format(" in `{}`,", printable(finding.kernel));
  facts += entity(finding.block, finding.thread);
  if (finding.address) facts += fmt::format(", address {:#x}", *finding.address);
  if (finding.count > 1) facts += fmt::format(" ({} times)", finding.count);
  if (!facts.empty() && facts.back() == ',') facts.pop_back();
  if (!facts.empty()) text += fmt::format("  ={}\n", facts);
  if (finding.other) {
    text += fmt::format("note: {}{}\n", printable(finding.other->label),
                        finding.other->block || finding.other->thread
                            ? " by" + entity(finding.other->block, finding.other->thread)
                            : "");
    text += excerpt(finding.other->place, source_line);
  }
  if (!finding.note.empty()) text += fmt::format("  = note: {}\n", printable(finding.note));
  if (!finding.help.empty()) text += fmt::format("  = help: {}\n", printable(finding.help));
  return text + '\n';
}

}  // namespace cudalabs::vgpu
