// A person's own picture instead of the lab's cases.
#include "cli/image.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <system_error>
#include <utility>

#include "check/merge.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/picture_files.h"
#include "cli/show.h"
#include "cli/single_run.h"
#include "cli/sources.h"
#include "cli/usage_error.h"
#include "datasets/png.h"
#include "report/console_style.h"
#include "report/diagnostic.h"
#include "report/printable.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

// What the lab's limits of memory and time allow for, with a reference and a bound for each pixel on the grader's side.
constexpr std::int64_t kMostPixels = 4'000'000;
constexpr std::uintmax_t kMostBytes = 64u << 20;

[[noreturn]] void refuse(const fs::path& image, const std::string& why, const std::string& what_next) {
  throw UsageError(fmt::format("--image {}: {}; {}", image.string(), why, what_next));
}

std::string labs_with_pictures() {
  std::string labs;
  for (const fs::path& folder : find_labs(project_root() / "labs")) {
    const Lab lab = read_lab(folder, project_root() / "solutions");
    if (datasets::picture_generator_for(lab.generator) == nullptr) continue;
    labs += (labs.empty() ? "" : ", ") + lab.id;
  }
  return labs;
}

datasets::Picture read_image(const fs::path& image) {
  std::error_code error;
  if (!fs::is_regular_file(image, error)) refuse(image, "there is no such file", "name a PNG file");
  if (const auto size = fs::file_size(image, error); error || size > kMostBytes) {
    refuse(image, fmt::format("it is larger than {} MiB", kMostBytes >> 20), "take a smaller picture");
  }
  std::ifstream stream(image, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) refuse(image, "it cannot be read", "look at its permissions");
  try {
    return datasets::decode_png(std::as_bytes(std::span(bytes)), kMostPixels);
  } catch (const datasets::PngError& why) {
    refuse(image, why.what(), "ImageMagick makes one that fits: convert PICTURE -resize 1600x1600 small.png");
  }
}

/// One line for each output that is a picture; and where the pictures are.
std::string summary_of(const CaseRun& case_run, const PictureFiles& files, const fs::path& folder) {
  std::string text;
  if (case_run.observed.end != RunEnd::finished) {
    text += fmt::format("the run did not come to its end, so there is no result: {}\n", case_run.observed.detail);
  }
  for (const Comparison& comparison : case_run.judged().comparisons) {
    if (comparison.shape.size() != 2) continue;
    const auto wrong = std::ranges::find(files.wrong(), comparison.name, &PictureFiles::Wrong::output);
    text += wrong == files.wrong().end() ? fmt::format("{}: every pixel is right\n", comparison.name)
                                         : fmt::format("{}: {} of {} pixels are wrong, see {}\n", comparison.name,
                                                       wrong->pixels, wrong->of, wrong->map.string());
  }
  text += fmt::format("wrote what went in and what came out into {}\n", (folder / "").string());
  if (!files.wrong().empty()) text += std::string(kMapLegend) + '\n';
  return text;
}

}  // namespace

int grade_image(const GradeCommand& command, const Lab& lab, const Submission& submission) {
  const datasets::PictureGenerator generate = datasets::picture_generator_for(lab.generator);
  if (generate == nullptr) {
    refuse(*command.image, lab.id + " does not work on pictures", "these labs do: " + labs_with_pictures());
  }
  datasets::CaseSpec spec;
  spec.name = "image";
  spec.title = command.image->filename().string();
  const datasets::Picture image = read_image(*command.image);
  const fs::path folder = command.pictures.value_or(lab.id + "-pictures");
  make_folder("--pictures", folder);
  CaseRun case_run;
  case_run.test = generate(spec, image);
  const SubmissionRun submission_run = run_on(std::move(case_run), command, lab, submission);
  if (!submission_run.build.ok) return run_command(BuildCommand{command.target});

  PictureFiles files;
  files.add(submission_run.case_runs.front(), folder);
  files.write();
  const FileSources sources = sources_of(lab, submission);
  show(fmt::format("{} on {}, {} × {} pixels\n", lab.id, printable_line(spec.title), image.width, image.height));
  const std::vector<MergedFinding> findings = merge_findings(submission_run);
  for (const Finding& finding : findings)
    show(fmt::format("\n{}", render_finding(finding, sources, console_style(STDOUT_FILENO))));
  if (!findings.empty()) show("\n");
  show(summary_of(submission_run.case_runs.front(), files, folder));
  return is_right(submission_run) ? kFullMarks : kFellShort;
}

}  // namespace cudalabs
