// The submissions that a lab's folders hold, each with what grading must make of it.
#include "lint/samples.h"

#include <algorithm>
#include <fstream>
#include <utility>

namespace cudalabs::lint {
namespace {

namespace fs = std::filesystem;

/// What the first lines of a sample say of its grading.
void read_expectations(Sample& sample) {
  std::ifstream stream(sample.file);
  std::string line;
  std::getline(stream, line);
  auto expected = parse_expectation(line);
  if (!expected) {
    throw LabError(sample.file.string() +
                   ":1: the first line must say what grading gives, `// EXPECT: ...`; see README.md of " +
                   sample.file.parent_path().parent_path().parent_path().filename().string());
  }
  sample.expected = std::move(*expected);
  std::getline(stream, line);
  if (sample.kind == SampleKind::hostile) {
    sample.most_points = parse_most_points(line);
    for (std::string next; std::getline(stream, next) && next.starts_with("//");) {
      if (auto other = parse_alternative(next)) sample.or_else.push_back(std::move(*other));
    }
  }
  sample.on_cuda = parse_expectation_on_cuda(line);
  sample.by_nvcc = parse_expectation_by_nvcc(line);
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
    case SampleKind::unusual:
      return "unusual";
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
  add_folder(samples, lab.solution_folder / "unusual", SampleKind::unusual);
  add_folder(samples, lab.solution_folder / "wrong", SampleKind::wrong);
  add_folder(samples, lab.solution_folder / "ladder", SampleKind::ladder);
  add_folder(samples, lab.solution_folder / "hostile", SampleKind::hostile);
  return samples;
}

}  // namespace cudalabs::lint
