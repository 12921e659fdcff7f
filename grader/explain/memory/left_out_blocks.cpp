// The text tells which blocks may store nothing, and the counts whether they have.
#include "explain/memory/left_out_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>

#include "explain/places/beside_place.h"
#include "source/condition_text.h"
#include "source/dependences.h"
#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::string_view kBlockAxes = "xyz";

/// A condition that is the same for all threads of a block.
struct BlockCondition {
  std::string kernel;
  std::uint32_t line = 0;
  bool returns = false;  // it leads to a `return`; else a store is in its body
  std::size_t axis = 0;
};

/// Axes of `blockIdx` in the text.
void add_axes(std::string_view text, std::set<char>& axes) {
  for_each_name(text, [&](std::size_t at, std::string_view name) {
    const std::size_t axis = at + name.size() + 1;
    if (name == "blockIdx" && axis < text.size() && text[axis - 1] == '.') axes.insert(text[axis]);
  });
}

class BlockConditions {
 public:
  BlockConditions(std::string_view code, const FunctionBody& kernel)
      : code_(code), kernel_(kernel), body_(code.substr(kernel.begin, kernel.end - kernel.begin)), uses_(body_) {}

  void add_to(const std::vector<ConditionText>& conditions, std::vector<BlockCondition>& found) const {
    constexpr std::size_t kMostConditions = 32;  // a text may be made to be long to read
    const std::vector<std::size_t> stores = array_stores();
    std::size_t looked_at = 0;
    for (const ConditionText& condition : conditions) {
      if (condition.begin < kernel_.begin || condition.end > kernel_.end) continue;
      if (++looked_at > kMostConditions) return;
      const auto axis = only_axis(condition);
      if (!axis) continue;
      const auto jump = only_jump_of(code_, condition);
      const bool returns = jump && jump->word == "return" && !stores.empty() && stores.front() > condition.end;
      const bool holds_stores = !stores.empty() && condition.end == condition.end_of_body &&
                                std::ranges::all_of(stores, [&](std::size_t store) {
                                  return condition.body <= store && store < condition.end_of_body;
                                });
      if (returns || holds_stores) found.push_back({kernel_.name, condition.line, returns, *axis});
    }
  }

 private:
  /// That of `blockIdx` on which alone of a thread's place the condition depends.
  std::optional<std::size_t> only_axis(const ConditionText& condition) const {
    const std::set<std::string_view> names = uses_.all_of(condition.condition);
    if (!names.contains("blockIdx") || names.contains("threadIdx")) return std::nullopt;
    std::set<char> axes;
    add_axes(condition.condition, axes);
    for_each_name(body_, [&](std::size_t at, std::string_view name) {
      const std::size_t sign = past_spaces(body_, at + name.size());
      if (names.contains(name) && begins_assignment(body_.substr(std::min(sign, body_.size()), 3)))
        add_axes(value_at(body_, body_.find('=', sign) + 1), axes);
    });
    const std::size_t axis = axes.size() == 1 ? kBlockAxes.find(*axes.begin()) : kNowhere;
    return axis == kNowhere ? std::nullopt : std::optional(axis);
  }

  /// To elements of pointers that the kernel is given; in the order of the text.
  std::vector<std::size_t> array_stores() const {
    constexpr std::size_t kLongestSubscript = 200;
    std::set<std::string, std::less<>> pointers;
    for (const std::string& parameter : kernel_.parameters)
      if (parameter.find('*') != std::string::npos) pointers.insert(parameter_name(parameter));
    std::vector<std::size_t> stores;
    for_each_name(body_, [&](std::size_t at, std::string_view name) {
      const std::size_t open = past_spaces(body_, at + name.size());
      if (!pointers.contains(name) || open >= body_.size() || body_[open] != '[') return;
      const std::size_t past = past_bracket(body_.substr(0, open + kLongestSubscript), open);
      if (past != kNowhere && begins_assignment(body_.substr(std::min(past_spaces(body_, past), body_.size()), 3)))
        stores.push_back(kernel_.begin + at);
    });
    return stores;
  }

  std::string_view code_;
  const FunctionBody& kernel_;
  std::string_view body_;
  Dependences uses_;
};

/// Of the blocks along an axis.
struct WrittenPart {
  std::uint64_t blocks = 0, written = 0;
};

/// Where in some case of the finding as large a part of what is read is written as that of some of the blocks.
std::optional<WrittenPart> written_part(const MergedFinding& finding, const BlockCondition& condition,
                                        const SubmissionRun& submission_run) {
  const AccessFacts& access = finding.access;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (!finding.is_seen_in(case_run.test.spec.name)) continue;
    for (const vgpu::LaunchCounters& launch : case_run.observed.launches) {
      const std::uint64_t blocks = launch.config.grid[condition.axis];
      if (plain_name(launch.kernel) != condition.kernel || blocks < 2) continue;
      constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;
      if (access.written >= kMostBytes || access.written * blocks % access.read_to != 0) continue;
      return WrittenPart{blocks, access.written * blocks / access.read_to};
    }
  }
  return std::nullopt;
}

void show_condition(MergedFinding& finding, const BlockCondition& condition, const WrittenPart& part) {
  if (finding.other && finding.other->place.known()) finding.note.insert(0, in_words(*finding.other) + "\n");
  finding.other = OtherPlace{fmt::format("{} of {} blocks of `{}` along {} {} here, and store nothing",
                                         part.blocks - part.written, part.blocks, condition.kernel,
                                         kBlockAxes[condition.axis], condition.returns ? "return" : "do nothing"),
                             {finding.where.file, condition.line, 0},
                             {},
                             {}};
  finding.help =
      fmt::format("let these blocks of `{}` store 0, {}; or let `{}` read only the parts that are written, {} of {}",
                  condition.kernel, condition.returns ? "without the `return`" : "outside of the `if`",
                  plain_name(finding.kernel), part.written, part.blocks);
}

}  // namespace

void show_left_out_blocks(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                          const SubmissionRun& submission_run) {
  const auto may_be = [&](const MergedFinding& finding) {
    return finding.id == finding_ids::kUninitializedRead && finding.is_in_file(file) && !finding.proven &&
           finding.access.written != 0 && finding.access.written < finding.access.read_to;
  };
  if (std::ranges::none_of(findings, may_be)) return;
  const std::string code = without_comments(source);
  const std::vector<ConditionText> conditions = conditions_of(code);
  const std::vector<BodyPlace> bodies = body_places(code);
  constexpr std::size_t kLongestKernel = 20'000, kMostKernels = 16;
  std::vector<BlockCondition> all;
  std::size_t kernels = 0;
  for (const FunctionBody& function : function_bodies(code)) {
    const bool is_device = function.begin + 1 < bodies.size() && bodies[function.begin + 1].device;
    if (!is_device || function.end - function.begin > kLongestKernel || ++kernels > kMostKernels) continue;
    BlockConditions(code, function).add_to(conditions, all);
  }
  if (all.size() != 1) return;
  for (MergedFinding& finding : findings) {
    if (!may_be(finding) || plain_name(finding.kernel) == all.front().kernel) continue;
    if (const auto part = written_part(finding, all.front(), submission_run))
      show_condition(finding, all.front(), *part);
  }
}

}  // namespace cudalabs
