// Which line of a kernel wrote the output that is wrong.
#include "check/writer_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

namespace cudalabs {
namespace {

/// Beyond that a list of lines helps nobody.
constexpr std::size_t kMostLines = 4;

/// The places at which `array` was written, each line once; without a column where one line has several.
std::vector<SourcePlace> lines_of(std::string_view array, const std::vector<vgpu::ArrayWriter>& writers) {
  std::vector<SourcePlace> lines;
  for (const vgpu::ArrayWriter& writer : writers) {
    if (writer.array != array || !writer.where.known()) continue;
    const auto same = std::ranges::find_if(lines, [&](const SourcePlace& place) {
      return place.file == writer.where.file && place.line == writer.where.line;
    });
    if (same == lines.end()) {
      lines.push_back(writer.where);
    } else if (same->column != writer.where.column) {
      same->column = 0;
    }
  }
  return lines;
}

std::string kernel_of(const SourcePlace& line, const std::vector<vgpu::ArrayWriter>& writers) {
  const auto found = std::ranges::find_if(writers, [&](const vgpu::ArrayWriter& writer) {
    return writer.where.file == line.file && writer.where.line == line.line;
  });
  return found == writers.end() ? std::string() : found->kernel;
}

std::string numbers_of(const std::vector<SourcePlace>& lines) {
  std::set<std::uint32_t> numbers;
  for (const SourcePlace& place : lines) numbers.insert(place.line);
  const std::uint32_t last = *numbers.rbegin();
  numbers.erase(last);
  return fmt::format("{} and {}", fmt::join(numbers, ", "), last);
}

}  // namespace

void name_writers(Mismatch& mismatch, const std::vector<vgpu::ArrayWriter>& writers) {
  if (mismatch.fault == Fault::touched || mismatch.finding.where.known()) return;
  std::vector<SourcePlace> lines = lines_of(mismatch.output, writers);
  const bool of_output = !lines.empty();
  if (!of_output && mismatch.fault != Fault::unwritten) lines = lines_of("", writers);
  if (lines.empty() || lines.size() > kMostLines) return;
  const std::string what = of_output ? fmt::format("`{}`", mismatch.output) : "the array of the device";
  if (lines.size() == 1) {
    mismatch.finding.kernel = kernel_of(lines.front(), writers);
    mismatch.finding.where = lines.front();
    mismatch.finding.note += fmt::format("\nline {} stores to {}", lines.front().line, what);
    return;
  }
  const auto elsewhere = [&](const SourcePlace& place) { return place.file != lines.front().file; };
  if (std::ranges::any_of(lines, elsewhere)) return;
  mismatch.finding.note += fmt::format("\nlines {} store to {}", numbers_of(lines), what);
}

}  // namespace cudalabs
