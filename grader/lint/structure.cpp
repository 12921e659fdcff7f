// Whether a lab is whole before anything of it is graded.
#include "lint/structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>

#include "check/explanations.h"
#include "datasets/dataset.h"
#include "datasets/timed_work.h"
#include "lab/nearest.h"
#include "lab/new_lab.h"
#include "lint/handout.h"
#include "lint/lab_tables.h"
#include "lint/leak.h"
#include "lint/nearest_right.h"
#include "lint/samples.h"
#include "speed/baseline.h"
#include "text/file_text.h"

namespace cudalabs::lint {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFewestWrong = 8, kFewestAlternative = 3, kHintLevels = 3;
constexpr std::size_t kMostWords = 900;  // of a handout: half an hour for a reader in a second language
constexpr std::array kHandoutSections{"Before you start", "What you learn", "The task", "How it is graded",
                                      "Further reading"};
constexpr double kPoints = 100;
// What gives the solution away. A last hint may show a few lines.
constexpr std::size_t kFewestLines = 2, kFewestLinesOfHint = 4;

/// "file:line: what", for each line that says that its author has something to do.
void add_marked_lines(const fs::path& file, std::vector<std::string>& all) {
  std::ifstream stream(file);
  std::size_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (const std::size_t at = line.find(kTodo); at != std::string::npos)
      all.push_back(fmt::format("{}:{}: {}", file.string(), number, line.substr(at)));
  }
}

std::size_t submissions_in(const fs::path& folder) {
  if (!fs::is_directory(folder)) return 0;
  return static_cast<std::size_t>(std::ranges::count_if(
      fs::directory_iterator(folder), [](const auto& entry) { return entry.path().extension() == ".cu"; }));
}

class Faults {
 public:
  explicit Faults(const Lab& lab) : lab_(lab) {}

  std::vector<std::string> all() {
    points();
    texts();
    cases();
    speed();
    explanations();
    if (fs::is_directory(lab_.solution_folder)) {
      mirror();
      nothing_given_away();
    }
    return std::move(faults_);
  }

 private:
  template <typename... Arguments>
  void add(const fs::path& file, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    faults_.push_back(file.string() + ": " + fmt::format(text, std::forward<Arguments>(arguments)...));
  }

  void points() {
    if (lab_.max_points() != kPoints) {
      add(lab_.folder / "lab.toml", "the checks are worth {} points, not {}", lab_.max_points(), kPoints);
    }
    for (const std::string& sentence : differences(text_of(lab_.folder / "README.md"), points_table(lab_)))
      add(lab_.folder / "README.md", "{}; `grade lint {} --write` writes it", sentence, lab_.id);
  }

  void texts() {
    const std::vector<std::string> levels = sections(text_of(lab_.folder / "hints.md"));
    if (levels.size() != kHintLevels) {
      add(lab_.folder / "hints.md", "{} sections `## Level N`; there must be {}", levels.size(), kHintLevels);
    }
    handout();
    hints();
    for (const char* name : {"README.md", "hints.md"}) {
      for (const std::string& target : linked_files(text_of(lab_.folder / name))) {
        if (!fs::exists(lab_.folder / target)) add(lab_.folder / name, "links to {}, which is not there", target);
      }
    }
  }

  void handout() {
    const fs::path file = lab_.folder / "README.md";
    const std::string text = text_of(file);
    if (const std::size_t words = words_of_body(text); words > kMostWords)
      add(file, "{} words in the body; at most {}, the rest goes into <details>", words, kMostWords);
    const std::vector<std::string> headings = sections(text);
    for (const char* wanted : kHandoutSections) {
      if (std::ranges::find(headings, wanted) == headings.end()) add(file, "no section `## {}`", wanted);
    }
  }

  /// Each check has a hint, and each hint is for checks that there are.
  void hints() {
    const fs::path file = lab_.folder / "hints.md";
    std::set<std::string> hinted;
    for (const std::string& id : hinted_checks(text_of(file))) {
      hinted.insert(id);
      if (std::ranges::find(lab_.checks, id, &Check::id) == lab_.checks.end())
        add(file, "a hint is for `{}`, which is no check of the lab", id);
    }
    for (const Check& check : lab_.checks) {
      if (!hinted.contains(check.id)) add(file, "no hint is for `{}`", check.id);
    }
  }

  /// Every case can show an element that was not written, and a check may say that it looks at all.
  static bool looks_at_all(const Check& check) {
    return check.cases == CaseChoice::all ||
           std::ranges::find(check.asks, Ask::Kind::complete_results, &Ask::kind) != check.asks.end();
  }

  void cases() {
    std::set<std::string> tags;
    for (const datasets::CaseSpec& spec : lab_.cases) tags.insert(spec.tags.begin(), spec.tags.end());
    for (const Check& check : lab_.checks) {
      if (check.category != Category::correctness || tags.contains(check.id) || looks_at_all(check)) continue;
      add(lab_.folder / "lab.toml", "no case is tagged `{}`, so nothing decides that check", check.id);
    }
    const datasets::Generator generate = datasets::generator_for(lab_.generator);
    if (generate == nullptr) {
      add(lab_.folder / "lab.toml", "`generator` is `{}`{}", lab_.generator,
          suggestion(lab_.generator, datasets::generator_names()));
      return;
    }
    for (const datasets::CaseSpec& spec : lab_.cases) {
      try {
        if (generate(spec, lab_.seed).expected.empty()) {
          add(lab_.folder / "lab.toml", "case `{}` expects nothing", spec.name);
        }
      } catch (const std::invalid_argument& error) {
        add(lab_.folder / "lab.toml", "case `{}`: {}", spec.name, error.what());
      }
    }
  }

  void speed() {
    for (const SpeedTest& test : lab_.speed) {
      timed(test, test.work, test.parameters);
      timed(test, test.work, test.modelled_parameters);
      const std::vector<std::string> baselines = speed::baseline_names();
      if (std::ranges::find(baselines, test.baseline) == baselines.end()) {
        add(lab_.folder / "lab.toml", "`{}` is compared with `{}`{}", test.check, test.baseline,
            suggestion(test.baseline, baselines));
      } else {
        const std::string work = speed::read_baseline(test.baseline).work;
        timed(test, work, test.baseline_parameters);
        timed(test, work, test.modelled_baseline_parameters);
      }
    }
  }

  /// Something can be timed at a size.
  void timed(const SpeedTest& test, const std::string& name, const std::map<std::string, std::int64_t>& parameters) {
    const datasets::TimedWorkMaker make = datasets::timed_work_for(name);
    if (make == nullptr) {
      add(lab_.folder / "lab.toml", "`{}` cannot be timed: no timed work is called {}", test.check, name);
      return;
    }
    try {
      make(parameters);
    } catch (const std::invalid_argument& error) {
      add(lab_.folder / "lab.toml", "`{}`, the size that {} is timed at: {}", test.check, name, error.what());
    }
  }

  void explanations() {
    for (const Explanation& explanation : lab_.explanations) {
      if (const std::string fault = fault_of(explanation); !fault.empty()) add(lab_.folder / "lab.toml", "{}", fault);
    }
  }

  void mirror() {
    for (const fs::path& file : {lab_.solution_folder / lab_.contract.source, lab_.solution_folder / "hidden.toml"}) {
      if (!fs::is_regular_file(file)) add(file, "is not there");
    }
    std::vector<Sample> samples;
    try {
      samples = samples_of(lab_);
    } catch (const LabError& error) {
      faults_.emplace_back(error.what());
      return;
    }
    for (const Sample& sample : samples) {
      if (sample.kind == SampleKind::wrong) difference(sample, places_from_nearest_right(sample, samples));
      expectation(sample, sample.expected);
      for (const auto& elsewhere : {sample.on_cuda, sample.by_nvcc}) {
        if (elsewhere) expectation(sample, *elsewhere);
      }
    }
  }

  /// A wrong sample is a right one with a bug.
  void difference(const Sample& sample, std::size_t places) {
    if (places > kMostPlaces && sample.differs.empty()) {
      add(sample.file,
          "differs in {} places from the right sample that is nearest to it; at most {} are usual: change only the "
          "bug, "
          "or say in a comment at the start why there are more, `// DIFFERS: ...`",
          places, kMostPlaces);
    }
    if (places <= kMostPlaces && !sample.differs.empty())
      add(sample.file, "differs in {} place{} only: remove the line `// DIFFERS: ...`", places, places == 1 ? "" : "s");
  }

  bool only_slow(const Expectation& expected) const {
    if (expected.kind == Expectation::Kind::all_but_speed) return true;
    return expected.kind == Expectation::Kind::failed_checks &&
           std::ranges::all_of(expected.names, [&](const std::string& id) {
             const auto check = std::ranges::find(lab_.checks, id, &Check::id);
             return check != lab_.checks.end() && check->category == Category::speed;
           });
  }

  void expectation(const Sample& sample, const Expectation& expected) {
    const bool full_marks = expected.kind == Expectation::Kind::full_marks;
    if (sample.kind == SampleKind::alternative && !full_marks && !only_slow(expected)) {
      add(sample.file, "must expect full marks, or only checks on speed to fail");
    }
    if (sample.kind == SampleKind::hostile) {
      if (!full_marks && !sample.most_points) add(sample.file, "no second line `// AT MOST: ... points`");
      if (text_of(sample.file).find("attack:") == std::string::npos)
        add(sample.file, "no `// attack:` says what it tries");
    }
    if (sample.kind != SampleKind::wrong) return;
    if (full_marks) add(sample.file, "expects full marks, though it is wrong");
    if (text_of(sample.file).find("wrong:") == std::string::npos) add(sample.file, "no `// wrong:` marks the bug");
    if (expected.kind != Expectation::Kind::failed_checks) return;
    for (const std::string& id : expected.names) {
      if (std::ranges::find(lab_.checks, id, &Check::id) == lab_.checks.end()) {
        add(sample.file, "expects `{}` to fail, which is no check of {}", id, lab_.id);
      }
    }
  }

  void nothing_given_away() {
    const std::string solution = text_of(lab_.solution_folder / lab_.contract.source);
    const std::string skeleton = text_of(lab_.folder / lab_.contract.source);
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(lab_.folder)) {
      if (!entry.is_regular_file()) continue;
      const std::size_t fewest = entry.path().filename() == "hints.md" ? kFewestLinesOfHint : kFewestLines;
      for (const std::string& line : leaks(solution, skeleton, text_of(entry.path()), fewest)) {
        add(entry.path(), "gives the solution away: `{}`", line);
      }
    }
  }

  const Lab& lab_;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> structure_faults(const Lab& lab) {
  return Faults(lab).all();
}

std::vector<std::string> left_to_do(const Lab& lab) {
  std::vector<std::string> all;
  for (const fs::path& folder : {lab.folder, lab.solution_folder}) {
    if (!fs::is_directory(folder)) continue;
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::ranges::sort(files);
    for (const fs::path& file : files) add_marked_lines(file, all);
  }
  if (!fs::is_directory(lab.solution_folder)) return all;
  for (const auto& [folder, fewest] :
       {std::pair{"wrong", kFewestWrong}, std::pair{"alternative", kFewestAlternative}}) {
    const fs::path path = lab.solution_folder / folder;
    const std::size_t count = submissions_in(path);
    if (count < fewest) all.push_back(fmt::format("{}: {} submissions; at least {}", path.string(), count, fewest));
  }
  return all;
}

}  // namespace cudalabs::lint
