// What a hostile sample must not have done when its grading has ended.
#include "lint/harm.h"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "lint/programs.h"
#include "text/file_text.h"

namespace cudalabs::lint {
namespace {

namespace fs = std::filesystem;

/// What is in the file that no submission may read.
constexpr std::string_view kCanary = "the-canary-was-read";

}  // namespace

fs::path make_canary(const fs::path& scratch) {
  fs::path canary = scratch / "canary.h";
  std::ofstream stream(canary);
  stream << "#error " << kCanary << "\n";
  if (!stream.flush()) throw std::system_error(errno, std::generic_category(), canary);
  fs::permissions(scratch, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  return canary;
}

std::string harm_done(const SampleResult& result, const GradingPlan& plan, const fs::path& cache,
                      const fs::path& scratch) {
  std::string harm;
  for (const char* file : {"report.json", "said", "complaints"}) {
    if (text_of(scratch / file).find(kCanary) != std::string::npos) harm += "; the canary was read";
    if (text_of(scratch / file).find('\x1b') != std::string::npos) harm += "; an escape sequence got through";
  }
  if (result.sample.most_points && result.points > *result.sample.most_points)
    harm += fmt::format("; more than {} points", *result.sample.most_points);
  if (const unsigned left = clear_left(); left != 0) harm += fmt::format("; {} processes were left", left);
  if (!fs::is_empty(scratch / "tmp")) harm += "; files were left";
  const Order honest{result.lab, result.solution, result.frontend};
  const int exit_code = run_apart([&] { return plan.grade(honest); },
                                  {{"CUDALABS_CACHE", cache.string()}, {"TMPDIR", (scratch / "tmp").string()}},
                                  scratch / "said", scratch / "complaints");
  if (exit_code != 0) harm += fmt::format("; the solution after it ended with {}", exit_code);
  return harm;
}

}  // namespace cudalabs::lint
