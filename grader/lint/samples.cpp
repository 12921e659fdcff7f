// The submissions that a lab's folders hold, each with what grading must make of it.
#include "lint/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <utility>

#include "lint/code_tokens.h"
#include "lint/programs.h"
#include "text/file_text.h"

namespace cudalabs::lint {
namespace {

namespace fs = std::filesystem;

/// The comment lines a file starts with.
std::vector<std::string> head_of(const fs::path& file) {
  std::ifstream stream(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line) && line.starts_with("//");) lines.push_back(line);
  return lines;
}

[[noreturn]] void complain(const Sample& sample, std::string_view what) {
  throw LabError(fmt::format("{}:1: {}; see README.md of {}", sample.file.string(), what,
                             sample.file.parent_path().parent_path().parent_path().filename().string()));
}

/// What must come first of a wrong sample, with the line that its code stands in.
void find_first(Sample& sample) {
  if (sample.kind != SampleKind::wrong) return;
  if (!sample.first) complain(sample, "a comment at the start must say what is to be fixed first, `// FIRST: ...`");
  if (sample.first->code.empty()) return;
  const std::string text = text_of(sample.file);
  sample.first->line = line_of(sample.first->code, text);
  if (sample.first->line == 0) complain(sample, "the code of `// FIRST: ...` must stand in exactly one line");
  sample.first->statement = statement_of(sample.first->line, text);
}

/// What the first lines of a sample say of its grading.
void read_expectations(Sample& sample) {
  const std::vector<std::string> lines = head_of(sample.file);
  auto expected = lines.empty() ? std::nullopt : parse_expectation(lines.front());
  if (!expected) complain(sample, "the first line must say what grading gives, `// EXPECT: ...`");
  sample.expected = std::move(*expected);
  for (const std::string& line : lines) {
    if (auto found = parse_expectation_on_cuda(line)) sample.on_cuda = std::move(found);
    if (auto found = parse_expectation_by_nvcc(line)) sample.by_nvcc = std::move(found);
    if (auto found = parse_first(line)) sample.first = std::move(found);
    if (auto found = parse_reason_for_difference(line)) sample.differs = *std::move(found);
    if (sample.kind != SampleKind::hostile) continue;
    if (const auto points = parse_most_points(line)) sample.most_points = points;
    if (auto other = parse_alternative(line)) sample.or_else.push_back(std::move(*other));
  }
  find_first(sample);
}

void add_folder(std::vector<Sample>& samples, const fs::path& folder, SampleKind kind) {
  if (!fs::is_directory(folder)) return;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    Sample& sample = samples.emplace_back();
    sample.kind = kind;
    sample.file = file;
    if (kind == SampleKind::ladder) {
      sample.expected = {Expectation::Kind::right_results, {}};
      if (fs::exists(folder / "rest.h")) sample.rest = folder / "rest.h";
    } else {
      read_expectations(sample);
    }
  }
}

}  // namespace

std::string_view name_of(SampleKind kind) {
  switch (kind) {
    case SampleKind::skeleton:
      return "skeleton";
    case SampleKind::solution:
      return "solution";
    case SampleKind::alternative:
      return "alternative";
    case SampleKind::wrong:
      return "wrong";
    case SampleKind::ladder:
      return "ladder";
    case SampleKind::hostile:
      return "hostile";
  }
  return "unknown";
}

std::vector<Sample> samples_of(const Lab& lab) {
  std::vector<Sample> samples;
  const auto add = [&](SampleKind kind, const fs::path& file, Expectation::Kind expected) {
    Sample& sample = samples.emplace_back();
    sample.kind = kind;
    sample.file = file;
    sample.expected = {expected, {}};
  };
  add(SampleKind::skeleton, lab.folder / lab.contract.source, Expectation::Kind::builds_and_fails);
  if (!fs::is_directory(lab.solution_folder)) return samples;
  add(SampleKind::solution, lab.solution_folder / lab.contract.source, Expectation::Kind::full_marks);
  add_folder(samples, lab.solution_folder / "alternative", SampleKind::alternative);
  add_folder(samples, lab.solution_folder / "wrong", SampleKind::wrong);
  add_folder(samples, lab.solution_folder / "ladder", SampleKind::ladder);
  add_folder(samples, lab.solution_folder / "hostile", SampleKind::hostile);
  return samples;
}

void keep_representatives(std::vector<Sample>& samples, std::set<std::string>& covered) {
  std::set<std::string> checks;
  std::erase_if(samples, [&](const Sample& sample) {
    if (sample.kind != SampleKind::wrong) return false;
    std::set<std::string>& known = sample.expected.kind == Expectation::Kind::failed_checks ? checks : covered;
    const std::size_t before = known.size();
    known.insert(sample.expected.names.begin(), sample.expected.names.end());
    return known.size() == before;
  });
}

void keep_device_codes(std::vector<Sample>& samples) {
  std::set<std::vector<std::string>> known;
  std::erase_if(samples, [&](const Sample& sample) {
    if (sample.kind != SampleKind::solution && sample.kind != SampleKind::alternative) return false;
    const bool is_new = known.insert(device_tokens(tokens_of(text_of(sample.file)))).second;
    return !is_new && !sample.by_nvcc;
  });
}

void keep_last_step(std::vector<Sample>& samples) {
  const auto is_step = [](const Sample& sample) { return sample.kind == SampleKind::ladder; };
  const auto last = std::ranges::find_if(samples.rbegin(), samples.rend(), is_step);
  if (last == samples.rend()) return;
  const std::filesystem::path kept = last->file;
  std::erase_if(samples, [&](const Sample& sample) { return is_step(sample) && sample.file != kept; });
}

}  // namespace cudalabs::lint
