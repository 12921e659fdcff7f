#include "cli/overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/layout.h"
#include "report/number_text.h"
#include "report/paint.h"
#include "report/printable.h"

namespace cudalabs {
namespace {

constexpr std::size_t kBar = 20;

std::string bar_of(double share, const Paint& paint) {
  // Full for full marks only, and empty for no point only.
  auto full = static_cast<std::size_t>(std::floor(share * kBar));
  if (share > 0) full = std::max<std::size_t>(full, 1);
  std::string text;
  for (std::size_t i = 0; i < kBar; ++i) text += i < full ? paint.sign("█", "#") : paint.sign("░", ".");
  return share >= 1 ? paint.good(text) : text;
}

const BestScore* score_of(const BestScores& scores, const std::string& lab) {
  const auto found = scores.find(lab);
  return found == scores.end() ? nullptr : &found->second;
}

bool done(const BestScores& scores, const OverviewLab& lab) {
  const BestScore* score = score_of(scores, lab.id);
  return score != nullptr && score->points >= score->max;
}

std::string next_step(const OverviewLab& lab, bool begun, const Invocation& how) {
  if (how.installed) {
    if (begun) return fmt::format("  see what is left to fix:  {} {}\n", how.typed, lab.id);
    return fmt::format(
        "  begin     {0} start {1}\n"
        "  edit      {2}\n"
        "  grade it  {0} {1}\n",
        how.typed, lab.id, lab.source);
  }
  if (begun) return fmt::format("  see what is left to fix:  make {0} && {1} {0}\n", lab.id, how.typed);
  return fmt::format(
      "  read      labs/{0}/README.md\n"
      "  edit      labs/{0}/{1}\n"
      "  grade it  make {2} && {3} {2}\n",
      lab.folder, lab.source, lab.id, how.typed);
}

}  // namespace

std::string render_overview(const std::vector<OverviewLab>& labs, const BestScores& scores, const TerminalStyle& style,
                            const Invocation& how) {
  const Paint paint(style);
  std::size_t widest = 0;
  for (const OverviewLab& lab : labs) widest = std::max(widest, lab.title.size());
  widest = std::min<std::size_t>(widest, 30);
  std::string out = paint.bold("your best scores so far") + "\n\n";
  for (const OverviewLab& lab : labs) {
    const BestScore* score = score_of(scores, lab.id);
    const std::string points = score == nullptr ? paint.dim("not graded yet") : points_text(score->points, score->max);
    out += fmt::format("  {:<6}{:<{}}  {}  {}\n", lab.id, shorten(printable_line(lab.title), widest), widest,
                       bar_of(score == nullptr ? 0 : score->points / score->max, paint), points);
  }
  const auto next = std::ranges::find_if(labs, [&](const OverviewLab& lab) { return !done(scores, lab); });
  out += '\n';
  if (next == labs.end()) {
    out += "All labs have full points. What to try then: \"Going further\" in each handout.\n";
  } else {
    out += paint.bold(fmt::format("next: {}, {}", next->id, printable_line(next->title))) + '\n';
    out += next_step(*next, score_of(scores, next->id) != nullptr, how);
    out += fmt::format("  stuck?    {} hint {}\n", how.typed, next->id);
  }
  return out + '\n' + paint.dim("Only for you, on this machine: your grade comes from the course. See --help.") + '\n';
}

}  // namespace cudalabs
