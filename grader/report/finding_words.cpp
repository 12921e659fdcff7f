// The parts of a finding that every form of it shows, as text.
#include "report/finding_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

#include "report/number_text.h"
#include "report/printable.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

std::string index_text(const Index3& index) {
  return fmt::format("({}, {}, {})", index[0], index[1], index[2]);
}

/// The last `columns` columns of printable text.
std::string_view tail(std::string_view text, std::size_t columns) {
  const std::size_t width = display_width(text);
  if (width <= columns) return text;
  text.remove_prefix(fit(text, width - columns).size());
  return text;
}

}  // namespace

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::advice:
      return "advice";
  }
  return "error";
}

std::string sentence(std::string_view text) {
  std::string out(text);
  if (!out.empty()) out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  if (!out.empty() && out.back() != '.') out += '.';
  return out;
}

std::string thread_text(const std::optional<Index3>& block, const std::optional<Index3>& thread) {
  std::vector<std::string> parts;
  if (block) parts.push_back("block " + index_text(*block));
  if (thread) parts.push_back("thread " + index_text(*thread));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string kernel_text(const std::string& kernel, std::uint64_t count) {
  std::vector<std::string> parts;
  if (!kernel.empty()) parts.push_back(fmt::format("in `{}`", printable_line(kernel)));
  if (count > 1) parts.push_back(fmt::format("the first of {} times", count_text(count)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::uint64_t times_of(const Finding& finding) {
  using namespace finding_ids;
  constexpr std::array kOfElements{kUnwrittenOutput, kNonfiniteResult, kResultMismatch};
  return std::ranges::find(kOfElements, finding.id) == kOfElements.end() ? finding.count : 1;
}

std::string place_text(const SourcePlace& place, std::size_t room) {
  std::string numbers = fmt::format(":{}", place.line);
  if (place.column != 0) numbers += fmt::format(":{}", place.column);
  const std::string file = printable_line(place.file);
  constexpr std::string_view kCut = "...";
  const std::size_t left = room - std::min(room, numbers.size() + kCut.size());
  if (display_width(file) <= left + kCut.size()) return file + numbers;
  return std::string(kCut) + std::string(tail(file, left)) + numbers;
}

}  // namespace cudalabs
