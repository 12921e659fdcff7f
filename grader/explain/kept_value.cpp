// The words, and the line of the declaration.
#include "explain/kept_value.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::size_t kAbsent = std::string_view::npos;

/// "__device__ unsigned count;", "__managed__ int total{0};": not of a function.
bool declares_variable(std::string_view line, std::size_t at, std::string_view name) {
  const std::size_t qualifier = std::min(line.find("__device__"), line.find("__managed__"));
  if (qualifier > at || line.find("__constant__") != kAbsent || line.substr(0, at).find('(') != kAbsent) return false;
  const std::size_t end = past_spaces(line, at + name.size());
  constexpr std::string_view kEnds = ";=,{";
  return end < line.size() && kEnds.find(line[end]) != kAbsent;
}

}  // namespace

Finding leftover_value(const KeptValue& kept) {
  const vgpu::KeptVariable& variable = kept.variable;
  Finding finding;
  finding.id = finding_ids::kLeftoverValue;
  finding.message = fmt::format("`{}` was {}, not {}, when a launch of `{}` began", variable.name, variable.value,
                                variable.at_first, variable.kernel.substr(0, variable.kernel.find('<')));
  finding.where = kept.launch;
  finding.access.array = variable.name;
  finding.cause = OtherPlace{fmt::format("it was {} when this launch began", variable.value), kept.launch, {}, {}};
  finding.note = fmt::format(
      "it keeps its value from one launch to the next; with {} in it again before such launches, the results are right",
      variable.at_first);
  finding.help = fmt::format(
      "set it back to {}: in the kernel, by the last thread that uses it, or before each launch with "
      "`cudaMemcpyToSymbol`",
      variable.at_first);
  return finding;
}

std::optional<Setting> device_variable_of(std::string_view source, std::string_view name) {
  const std::string code = without_comments(source);
  const std::vector<BodyPlace> bodies = body_places(code);
  const std::vector<std::string_view> lines = text_lines(code);
  std::optional<Setting> found;
  bool several = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto begin = static_cast<std::size_t>(lines[i].data() - code.data());
    for_each_name(lines[i], [&](std::size_t at, std::string_view word) {
      if (word != name || bodies[begin + at].inside || !declares_variable(lines[i], at, name)) return;
      several = several || found;
      found = {{std::string(name)}, static_cast<std::uint32_t>(i) + 1, static_cast<std::uint32_t>(at) + 1};
    });
  }
  return several ? std::nullopt : found;
}

void place_at_variable(MergedFinding& finding, std::string_view source) {
  const auto declared = device_variable_of(source, finding.access.array);
  if (!declared || declared->line == finding.where.line) return;
  finding.other = finding.cause;
  finding.where = {finding.where.file, declared->line, declared->column};
  finding.kernel.clear();
  finding.count = 1;  // of variables
}

}  // namespace cudalabs
