// `grade class similar LAB --out DIR`: who has handed in what is alike.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <utility>

#include "build/builder.h"
#include "cli/progress.h"
#include "cli/project.h"
#include "cli/usage_error.h"
#include "course/pages.h"
#include "course/similar/extract.h"
#include "course/similar/pieces.h"
#include "course/similarity.h"
#include "course/workers.h"
#include "course_cli/class.h"
#include "course_cli/class_labs.h"
#include "course_cli/class_similar.h"
#include "report/printable.h"
#include "run/run.h"
#include "sandbox/fd.h"
#include "text/file_text.h"
#include "vgpu/usable_processors.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kLongest{300};  // for one file; the compiler's own limits end before
constexpr std::chrono::milliseconds kGlance{500};

/// Solutions of the lab that are independent of each other; none where there are no solutions.
std::vector<std::string> samples_of(const Lab& lab) {
  std::vector<fs::path> paths;
  std::error_code error;
  if (const fs::path solution = lab.solution_folder / lab.contract.source; fs::is_regular_file(solution, error))
    paths.push_back(solution);
  for (const fs::directory_entry& entry : fs::directory_iterator(lab.solution_folder / "alternative", error)) {
    if (entry.path().extension() == ".cu") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::vector<std::string> texts;
  for (const fs::path& path : paths) texts.push_back(text_of(path));
  return texts;
}

/// From the process that reads a submission to this one: plain numbers, whatever the submission made of its reader.
std::string packed(const similar::Piece& piece) {
  std::string bytes;
  for (const similar::Features* features : {&piece.tokens, &piece.flow}) {
    const std::uint64_t count = features->size();
    bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
    bytes.append(reinterpret_cast<const char*>(features->data()), count * sizeof(similar::Feature));
  }
  return bytes;
}

similar::Piece unpacked(std::string_view bytes) {
  similar::Piece piece;
  for (similar::Features* features : {&piece.tokens, &piece.flow}) {
    std::uint64_t count = 0;
    if (bytes.size() < sizeof count) return {};
    std::memcpy(&count, bytes.data(), sizeof count);
    bytes.remove_prefix(sizeof count);
    if (count > bytes.size() / sizeof(similar::Feature)) return {};
    features->resize(count);
    if (count > 0) std::memcpy(features->data(), bytes.data(), count * sizeof(similar::Feature));
    bytes.remove_prefix(count * sizeof(similar::Feature));
  }
  return piece;
}

Toolchain comparing_toolchain() {
  std::optional<Toolchain> toolchain = find_toolchain(Frontend::clang);
  if (!toolchain)
    throw std::runtime_error("no clang here, which compiles the kernels for comparing; install clang and llvm");
  return std::move(*toolchain);
}

/// Reads and compiles all `texts`, several at a time, each in a process of its own.
std::vector<similar::Piece> pieces_of(const Lab& lab, const std::vector<std::string>& texts, unsigned jobs) {
  const Toolchain toolchain = comparing_toolchain();
  const std::string tokenizer = similar::find_tokenizer();
  if (tokenizer.empty())
    fmt::print(
        stderr,
        "note: there is no sim_c++ here, so the kernels' data flow is compared, and tokens are not; Debian 12 has "
        "it in the package similarity-tester\n");
  sandbox_tier();  // found out once, not in every process
  std::vector<similar::Piece> pieces(texts.size());
  course::Workers workers(kLongest);
  Progress line;
  std::size_t done = 0, failed = 0;
  for (std::size_t next = 0; next < texts.size() || workers.running() > 0;) {
    while (next < texts.size() && workers.running() < jobs) {
      const std::string& text = texts[next];
      workers.start(next++, [&](int output) {
        const similar::Extract extract = similar::extract(lab, toolchain, tokenizer, text);
        sandbox::write_all(output, sandbox::bytes_of(packed(similar::piece_of(extract, lab))));
        return 0;
      });
    }
    const std::optional<course::Ended> ended = workers.wait(kGlance);
    if (!ended) continue;
    // One that cannot be read is alike to nobody; when none can, it is this machine's fault.
    if (ended->exited && ended->status == 0) {
      pieces[ended->number] = unpacked(ended->output);
    } else if (++failed == texts.size()) {
      throw std::runtime_error(fmt::format("the submissions cannot be read for comparing: {}", ended->errors));
    } else {
      fmt::print(stderr, "note: a submission cannot be read for comparing: {}\n", printable_line(ended->errors));
    }
    line.say(fmt::format("{} of {} read for comparing", ++done, texts.size()));
  }
  return pieces;
}

}  // namespace

void require_comparing() {
  comparing_toolchain();
}

void compare_class(const fs::path& out, course::Store& store, const Lab& lab, unsigned jobs) {
  const course::ClassData data = class_data(out, store, lab.id);
  if (data.labs.empty()) throw UsageError(fmt::format("{}: nothing of {} was graded here", out.string(), lab.id));
  const std::string given = text_of(lab.folder / lab.contract.source);
  course::Similarity similarity{
      .lab = lab.id, .files = course::files_to_compare(data, store, lab.id, given), .comparison = {}};
  std::vector<std::string> texts{given};
  for (const course::AlikeFile& file : similarity.files) texts.push_back(file.text);
  std::ranges::move(samples_of(lab), std::back_inserter(texts));
  std::vector<similar::Piece> pieces = pieces_of(lab, texts, jobs);
  const similar::Piece start = std::move(pieces.front());
  const auto first = pieces.begin() + 1, last = first + static_cast<std::ptrdiff_t>(similarity.files.size());
  const std::vector<similar::Piece> samples(last, pieces.end());
  const std::vector<similar::Piece> submissions(first, last);
  similarity.comparison = similar::compare(start, submissions, samples);
  for (std::size_t i = 0; i < submissions.size(); ++i) similarity.files[i].piece = submissions[i];
  const course::SimilaritySummary summary = course::write_similarity(out, data, similarity, std::time(nullptr));
  fmt::print("{}: {}\n", course::shown(summary), (course::similarity_folder(out, lab.id) / "index.html").string());
}

ExitCode run_class_command(const ClassSimilarCommand& command) {
  course::Store store(command.out, course::Store::Open::existing);
  compare_class(command.out, store, load_lab(command.lab), command.jobs.value_or(vgpu::usable_processors()));
  course::write_pages(command.out, store, class_data(command.out, store));
  return kFullMarks;
}

}  // namespace cudalabs
