#include "explain/suspicious_line.h"

#include <fmt/format.h>

#include <optional>

#include "check/explanations.h"
#include "explain/macros/macro_expansion.h"
#include "source/byte_fill.h"
#include "source/misleading_indent.h"

namespace cudalabs {
namespace {

struct Suspicion {
  SourcePlace where;
  std::string label, text;
};

std::string words_of(const CompilerWarning& warning) {
  return fmt::format("the compiler warns at line {}: {}", warning.where.line, warning.text);
}

std::optional<Suspicion> suspicion_in(std::string_view source, const std::string& file,
                                      const std::vector<CompilerWarning>& warnings) {
  if (const auto misled = misleading_indent(source)) {
    return Suspicion{{file, misled->line, misled->column},
                     fmt::format("this line is not part of the `{}` in line {}", misled->word, misled->head),
                     fmt::format("without braces only line {} is part of the `{}` in line {}: line {} is not, although "
                                 "it is indented like it",
                                 misled->body, misled->word, misled->head, misled->line)};
  }
  if (const auto macro = misread_macro(source, 0)) {
    return Suspicion{{file, macro->definition.line, macro->definition.column},
                     fmt::format("the value of `{}` has no parentheses around it", macro->definition.names.front()),
                     help_with(*macro)};
  }
  if (const auto fill = byte_fill(source)) {
    return Suspicion{{file, fill->line, fill->column},
                     fmt::format("`{}` sets each byte to {}", fill->function, fill->value),
                     fmt::format("`{}` in line {} sets each byte to {}, and not each `{}`: only values whose bytes are "
                                 "alike, such as 0, can be set with it; use a kernel or a copy for others",
                                 fill->function, fill->line, fill->value, fill->type)};
  }
  if (const auto fill = short_fill(source)) {
    const std::string_view bytes = fill->value == "1" ? "byte" : "bytes";
    return Suspicion{
        {file, fill->line, fill->column},
        fmt::format("`{}` sets {} {}", fill->function, fill->value, bytes),
        fmt::format("`{}` in line {} sets {} {}: its size is in bytes, and an `int` or a `float` has 4; pass "
                    "the `sizeof` of what is to be set",
                    fill->function, fill->line, fill->value, bytes)};
  }
  if (warnings.size() != 1) return std::nullopt;
  return Suspicion{warnings.front().where, "the compiler warns of this line", words_of(warnings.front())};
}

/// What the compiler warns of is mostly a mistake, and true whatever was found: it stands before the words of a finding
/// that shows another line.
void mention_warning(MergedFinding& finding, const std::vector<CompilerWarning>& warnings) {
  if (warnings.size() != 1 || finding.severity != Severity::error) return;
  const std::uint32_t line = warnings.front().where.line;
  if (finding.where.line == line || (finding.other && finding.other->place.line == line)) return;
  finding.help.insert(0, words_of(warnings.front()) + "; ");
}

}  // namespace

bool leads_nowhere(const MergedFinding& finding) {
  const bool by_values = finding.values && *finding.values != ValueKind::known_to_the_lab;
  return finding.is_of_output() && causes_of(finding.detector).empty() && !by_values && !finding.origin &&
         !finding.right_at_first && finding.reach == Reach::unsaid;
}

void show_suspicious_line(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                          const SubmissionRun& submission_run) {
  if (findings.empty()) return;
  MergedFinding& finding = findings.front();
  if (!leads_nowhere(finding)) return mention_warning(finding, submission_run.build.warnings);
  if (finding.where.known() && !finding.is_in_file(file)) return;
  auto suspicion = suspicion_in(source, file, submission_run.build.warnings);
  if (!suspicion) return;
  if (!finding.where.known()) {
    finding.where = suspicion->where;
  } else if (finding.where.line != suspicion->where.line) {
    suspicion->where.file = finding.where.file;
    finding.other = OtherPlace{suspicion->label, suspicion->where, {}, {}};
  }
  finding.help = finding.detector.empty() ? suspicion->text : suspicion->text + "; " + finding.help;
}

}  // namespace cudalabs
