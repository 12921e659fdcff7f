// Which line of a kernel wrote the output that is wrong.
#include "check/writer_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include "text/told_lines.h"

namespace cudalabs {
namespace {

/// Beyond that a list of lines helps nobody.
constexpr std::size_t kMostLines = 4;

/// Those of `array`. One line may write to several: in another instance of a template, say.
std::vector<vgpu::ArrayWriter> of_array(std::string_view array, const std::vector<vgpu::ArrayWriter>& writers) {
  std::vector<vgpu::ArrayWriter> found;
  std::ranges::copy_if(writers, std::back_inserter(found),
                       [&](const vgpu::ArrayWriter& writer) { return writer.array == array; });
  return found;
}

std::vector<SourcePlace> places_of(const std::vector<vgpu::ArrayWriter>& writers) {
  std::vector<SourcePlace> places;
  for (const vgpu::ArrayWriter& writer : writers) places.push_back(writer.where);
  return places;
}

/// Each line once; without a column where one line has several.
std::vector<SourcePlace> lines_of(const std::vector<SourcePlace>& places) {
  std::vector<SourcePlace> lines;
  for (const SourcePlace& place : places) {
    if (!place.known()) continue;
    const auto same = std::ranges::find_if(
        lines, [&](const SourcePlace& line) { return line.file == place.file && line.line == place.line; });
    if (same == lines.end()) {
      lines.push_back(place);
    } else if (same->column != place.column) {
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

bool in_one_file(const std::vector<SourcePlace>& lines) {
  return std::ranges::all_of(lines, [&](const SourcePlace& place) { return place.file == lines.front().file; });
}

void blame(Finding& finding, const SourcePlace& line, const std::vector<vgpu::ArrayWriter>& writers) {
  finding.kernel = kernel_of(line, writers);
  finding.where = line;
}

std::string store_note(const SourcePlace& line) {
  return fmt::format("line {} stores to ", line.line);
}

/// "line 12 stores to `c`"
void note_lines(Finding& finding, const std::vector<SourcePlace>& lines, const std::string& what) {
  if (lines.size() == 1) {
    finding.note += "\n" + store_note(lines.front()) + what;
  } else {
    finding.note += fmt::format("\nlines {} store to {}", numbers_of(lines), what);
  }
}

}  // namespace

void name_writers(Mismatch& mismatch, const std::vector<vgpu::ArrayWriter>& writers) {
  if (mismatch.fault == Fault::touched || mismatch.finding.where.known()) return;
  std::vector<vgpu::ArrayWriter> own = of_array(mismatch.output, writers);
  std::vector<SourcePlace> lines = lines_of(places_of(own));
  const bool of_output = !lines.empty();
  if (!of_output && mismatch.fault != Fault::unwritten) {
    own = of_array("", writers);
    lines = lines_of(places_of(own));
  }
  if (lines.empty() || lines.size() > kMostLines || !in_one_file(lines)) return;
  if (lines.size() == 1) {
    blame(mismatch.finding, lines.front(), own);
  } else {
    for (const SourcePlace& line : lines) mismatch.stores.push_back({mismatch.output, kernel_of(line, own), line});
  }
  note_lines(mismatch.finding, lines, of_output ? fmt::format("`{}`", mismatch.output) : "the array of the device");
}

void drop_repeated_store(Finding& finding) {
  if (!finding.other || finding.other->place.file != finding.where.file) return;
  erase_line(finding.note, store_note(finding.other->place));
}

void name_incomplete_store(Mismatch& mismatch, const std::vector<vgpu::ArrayWriter>& writers) {
  const std::vector<SourcePlace> lines = lines_of(places_of(writers));
  if (lines.empty() || !in_one_file(lines)) return;
  blame(mismatch.finding, *std::ranges::max_element(lines, {}, &SourcePlace::line), writers);
  if (lines.size() <= kMostLines) note_lines(mismatch.finding, lines, "the array of the device");
}

}  // namespace cudalabs
