// The submissions that a lab's folders hold, each with what grading must make of it.
#include "lint/samples.h"

#include <algorithm>
#include <fstream>
#include <utility>

namespace cudalabs::lint {
namespace {

namespace fs = std::filesystem;

Expectation expectation_in(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  if (auto expected = parse_expectation(line)) return std::move(*expected);
  throw LabError(file.string() + ":1: the first line must say what grading gives, `// EXPECT: ...`; see README.md of " +
                 file.parent_path().parent_path().parent_path().filename().string());
}

void add_folder(std::vector<Sample>& samples, const fs::path& folder, SampleKind kind) {
  if (!fs::is_directory(folder)) return;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    Expectation expected{Expectation::Kind::right_results, {}};
    if (kind != SampleKind::ladder) expected = expectation_in(file);
    samples.push_back({kind, file, std::move(expected)});
    if (kind == SampleKind::ladder && fs::exists(folder / "rest.h")) samples.back().rest = folder / "rest.h";
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
  }
  return "unknown";
}

std::vector<Sample> samples_of(const Lab& lab) {
  std::vector<Sample> samples;
  samples.push_back(
      {SampleKind::skeleton, lab.folder / lab.contract.source, {Expectation::Kind::builds_and_fails, {}}});
  if (!fs::is_directory(lab.solution_folder)) return samples;
  samples.push_back(
      {SampleKind::solution, lab.solution_folder / lab.contract.source, {Expectation::Kind::full_marks, {}}});
  add_folder(samples, lab.solution_folder / "unusual", SampleKind::unusual);
  add_folder(samples, lab.solution_folder / "wrong", SampleKind::wrong);
  add_folder(samples, lab.solution_folder / "ladder", SampleKind::ladder);
  return samples;
}

}  // namespace cudalabs::lint
