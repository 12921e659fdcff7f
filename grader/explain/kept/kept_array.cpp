// The pointer is the first argument of the call that allocates, and its declaration is found in the text.
#include "explain/kept/kept_array.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// "d_a" of "cudaMalloc(&d_a, bytes)" and "cudaMallocManaged((void**)&d_a, bytes)"; empty: another form.
std::string_view pointer_set_by(std::string_view line) {
  const std::size_t call = line.find("cudaMalloc");
  const std::size_t open = call == kNowhere ? kNowhere : line.find('(', call);
  const std::size_t sign = open == kNowhere ? kNowhere : line.find_first_of("&,", open);
  if (sign == kNowhere || line[sign] == ',') return {};
  const std::size_t begin = past_spaces(line, sign + 1), end = end_of_word(line, begin);
  const std::size_t after = past_spaces(line, end);
  const bool whole = after < line.size() && (line[after] == ',' || line[after] == ')');
  return whole ? line.substr(begin, end - begin) : std::string_view();
}

/// "float* d_a = nullptr;", "float *d_a, *d_b;"
bool declares_pointer(std::string_view line, std::size_t at, std::string_view name) {
  const std::size_t end = past_spaces(line, at + name.size()), before = before_spaces(line, at);
  constexpr std::string_view kEnds = ";=,{";
  return end < line.size() && kEnds.find(line[end]) != kNowhere && before != kNowhere && line[before] == '*' &&
         line.substr(0, at).find('(') == kNowhere;
}

}  // namespace

std::optional<Setting> kept_pointer_of(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return std::nullopt;
  const std::string_view name = pointer_set_by(lines[line - 1]);
  return name.empty() ? std::nullopt : kept_pointer_called(code, name);
}

std::optional<Setting> kept_pointer_called(std::string_view code, std::string_view name) {
  const std::vector<std::string_view> lines = text_lines(code);
  const std::vector<BodyPlace> bodies = body_places(code);
  std::optional<Setting> found;
  bool several = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto begin = static_cast<std::size_t>(lines[i].data() - code.data());
    const bool is_static = lines[i].substr(past_spaces(lines[i], 0)).starts_with("static ");
    for_each_name(lines[i], [&](std::size_t at, std::string_view word) {
      if (word != name || !declares_pointer(lines[i], at, name)) return;
      several = several || found || (bodies[begin + at].inside && !is_static);
      found = {{std::string(name)}, static_cast<std::uint32_t>(i) + 1, static_cast<std::uint32_t>(at) + 1};
    });
  }
  return several ? std::nullopt : found;
}

void show_kept_array(MergedFinding& finding, std::string_view source) {
  if (!finding.access.kept || !finding.other || !finding.other->place.known()) return;
  finding.help =
      "an array has the size of the call that allocated it: allocate and free in each call, or keep the size as well, "
      "and allocate anew where a call needs more";
  OtherPlace& allocation = *finding.other;
  const bool own_file = allocation.place.file == finding.where.file;
  const auto pointer = own_file ? kept_pointer_of(source, allocation.place.line) : std::nullopt;
  if (!pointer) {
    allocation.label = "allocated here, in an earlier call";
    return;
  }
  finding.note.insert(0, fmt::format("line {} allocated it in an earlier call\n", allocation.place.line));
  allocation =
      OtherPlace{fmt::format("`{}` is kept from an earlier call, with the size of that call", pointer->names[0]),
                 {finding.where.file, pointer->line, pointer->column},
                 {},
                 {}};
}

}  // namespace cudalabs
