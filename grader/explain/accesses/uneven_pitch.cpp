#include "explain/accesses/uneven_pitch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// More are not read: a text may be made to be long to read.
constexpr std::size_t kMostArrays = 16, kLongestValue = 200;

/// What a pointer of the function points to: "float".
using Pointers = std::map<std::string_view, std::string_view>;

std::int64_t bytes_of_element(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 7> kTypes{
      {{"float", 4}, {"int", 4}, {"unsigned", 4}, {"double", 8}, {"char", 1}, {"uint8_t", 1}, {"byte", 1}}};
  const auto found = std::ranges::find(kTypes, type, &std::pair<std::string_view, std::int64_t>::first);
  return found == kTypes.end() ? 0 : found->second;
}

/// "float" of "float* d" and "float *d", where `d` is at `at`; empty: no star stands before it.
std::string_view pointed_type(std::string_view body, std::size_t at) {
  const std::size_t star = before_spaces(body, at);
  return star != kNowhere && body[star] == '*' ? word_before(body, star) : std::string_view();
}

/// "d_b" of "cudaMalloc(&d_b, size)" and "cudaMalloc((void**)&d_b, size)", where `open` is at the bracket.
std::string_view allocated_name(std::string_view body, std::size_t open) {
  const std::string_view near = body.substr(open, kLongestValue);
  const std::size_t end = past_bracket(near, 0);
  const auto arguments = end == kNowhere ? std::vector<std::string_view>() : items_of(near.substr(1, end - 2));
  const std::size_t sign = arguments.empty() ? kNowhere : arguments.front().rfind('&');
  if (sign == kNowhere) return {};
  const std::size_t begin = past_spaces(arguments.front(), sign + 1);
  return arguments.front().substr(begin, end_of_word(arguments.front(), begin) - begin);
}

/// "pitch" of "2 * pitch", "pitch * 2" and "pitch".
std::string without_factor(std::string_view distance) {
  const std::string plain = without_blanks(distance);
  const auto is_number = [](std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); };
  const std::size_t sign = plain.find('*');
  if (sign == std::string::npos) return plain;
  const std::string left = plain.substr(0, sign), right = plain.substr(sign + 1);
  return is_number(left) ? right : is_number(right) ? left : plain;
}

/// "n" of "static_cast<std::size_t>(n)" and "(size_t)n".
std::string_view without_cast(std::string_view value) {
  value = without_outer_spaces(value);
  if (value.starts_with("static_cast<")) {
    const std::size_t open = past_bracket(value, value.find('<'));
    const std::size_t end =
        open == kNowhere || open >= value.size() || value[open] != '(' ? kNowhere : past_bracket(value, open);
    return end == value.size() ? without_outer_spaces(value.substr(open + 1, end - open - 2)) : value;
  }
  if (!value.starts_with('(')) return value;
  const std::size_t end = past_bracket(value, 0);
  const std::string_view rest = end == kNowhere ? std::string_view() : without_outer_spaces(value.substr(end));
  return is_identifier(rest) ? rest : value;
}

/// What is added to a pointer that is known: "pitch" of "= d_a + pitch" and "= &d_a[pitch]".
struct Sum {
  std::string_view from, distance;  // no distance: it is the same place
};

std::optional<Sum> sum_in(std::string_view value, const Pointers& known) {
  std::optional<Sum> found;
  for_each_name(value, [&](std::size_t at, std::string_view name) {
    if (found || !known.contains(name)) return;
    const std::size_t end = at + name.size(), sign = past_spaces(value, end);
    const char next = sign < value.size() ? value[sign] : ';';
    const std::size_t before = before_spaces(value, at);
    if (next == '+') {
      // Up to the bracket of a cast around it.
      std::size_t last = sign + 1;
      for (int depth = 0; last < value.size() && (depth > 0 || value[last] != ')'); ++last)
        depth += value[last] == '(' ? 1 : value[last] == ')' ? -1 : 0;
      found = Sum{name, without_outer_spaces(value.substr(sign + 1, last - sign - 1))};
    } else if (next == '[' && before != kNowhere && value[before] == '&') {
      const std::size_t close = past_bracket(value, sign);
      if (close != kNowhere) found = Sum{name, without_outer_spaces(value.substr(sign + 1, close - sign - 2))};
    } else if (next == ';' || next == ')') {
      found = Sum{name, {}};
    }
  });
  return found;
}

class ArrayReader {
 public:
  ArrayReader(std::string_view code, std::set<std::string> sizes) : code_(code), expressions_(code, std::move(sizes)) {}

  std::vector<ArrayInside> read() {
    for (const FunctionBody& function : expressions_.functions())
      if (!expressions_.is_kernel(function)) read_function(function);
    return std::move(found_);
  }

 private:
  void read_function(const FunctionBody& function) {
    const std::string_view body = code_.substr(function.begin, function.end - function.begin);
    Pointers known, types;
    for_each_name(body, [&](std::size_t at, std::string_view name) {
      if (found_.size() >= kMostArrays) return;
      const std::size_t end = past_spaces(body, at + name.size());
      if (const std::string_view type = pointed_type(body, at); !type.empty()) types[name] = type;
      if (end >= body.size()) return;
      if (name.starts_with("cudaMalloc") && body[end] == '(') {
        const std::string_view allocated = allocated_name(body, end);
        if (types.contains(allocated)) known[allocated] = types[allocated];
      }
      if (body[end] != '=' || body.substr(end).starts_with("==")) return;
      const std::string_view near = body.substr(end + 1, kLongestValue);
      const std::size_t semicolon = near.find_first_of(",;{");
      const auto sum = semicolon == kNowhere ? std::nullopt : sum_in(near.substr(0, semicolon), known);
      if (!sum || !types.contains(name)) return;
      if (!sum->distance.empty()) add(function, function.begin + at, name, *sum, known[sum->from]);
      known[name] = types[name];
    });
  }

  void add(const FunctionBody& function, std::size_t at, std::string_view name, const Sum& sum, std::string_view type) {
    ArrayInside inside;
    inside.pointer = setting_at_place(code_, at, name);
    inside.bytes = bytes_of_element(type);
    auto elements = expressions_.of(sum.distance, inside.pointer.line, function);
    if (inside.bytes == 0 || !elements) return;
    inside.elements = *std::move(elements);
    inside.from = sum.from;
    inside.element = type;
    inside.distance = without_factor(sum.distance);
    const auto set =
        is_identifier(inside.distance) ? expressions_.only_setting(inside.distance, function) : std::nullopt;
    if (set) {
      inside.set = Setting{{std::string(set->name)}, set->line, set->column};
      inside.value = without_cast(set->value);
    }
    found_.push_back(std::move(inside));
  }

  std::string_view code_;
  CaseExpressions expressions_;
  std::vector<ArrayInside> found_;
};

/// In each case of the finding the distance is known, and no multiple.
bool is_uneven(const ArrayInside& inside, const MergedFinding& finding, const SubmissionRun& submission_run) {
  bool any = false;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (!finding.is_seen_in(case_run.test.spec.name)) continue;
    const auto is_multiple = [&](const datasets::Case& test) {
      const auto elements = value_of(inside.elements, test.spec.parameters, nullptr);
      return !elements || *elements * inside.bytes % static_cast<std::int64_t>(finding.access.bytes) == 0;
    };
    if (is_multiple(case_run.test) && (!case_run.before || is_multiple(*case_run.before))) return false;
    any = true;
  }
  return any;
}

std::string help_for(const ArrayInside& inside, std::int64_t together) {
  const std::string unit = fmt::format("`{}`s", inside.element);
  const std::string cure = is_identifier(inside.value) || (!inside.set && is_identifier(inside.distance))
                               ? fmt::format("`({0} + {1}) / {2} * {2}`", inside.set ? inside.value : inside.distance,
                                             together - 1, together)
                               : fmt::format("round it up to a multiple of {}", together);
  if (!inside.set) {
    return fmt::format(
        "`{}` begins `{}` {} behind `{}`, and wide accesses need a multiple of {}: let the distance be {}, here and in "
        "the size of the allocation",
        inside.pointer.names.front(), inside.distance, unit, inside.from, together,
        cure.starts_with('`') ? cure : fmt::format("a multiple of {}", together));
  }
  return fmt::format("`{0}` in line {1} is the distance of `{2}` and `{3}`, and no multiple of {4} {5}: {6}",
                     inside.distance, inside.set->line, inside.from, inside.pointer.names.front(), together, unit,
                     cure.starts_with('`') ? fmt::format("round `{}` up, {}", inside.value, cure) : cure);
}

}  // namespace

std::vector<ArrayInside> arrays_inside(std::string_view code, std::set<std::string> sizes) {
  return ArrayReader(code, std::move(sizes)).read();
}

void show_uneven_pitches(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                         const SubmissionRun& submission_run) {
  std::string code;
  std::vector<ArrayInside> arrays;
  for (MergedFinding& finding : findings) {
    const bool open = finding.id == finding_ids::kMisalignedAccess && finding.help.advises(Advice::align_arrays) &&
                      finding.access.bytes != 0 && finding.is_in_file(file);
    if (!open) continue;
    if (code.empty()) {
      code = without_comments(source);
      std::set<std::string> sizes;
      for (const CaseRun& case_run : submission_run.case_runs)
        for (const auto& [name, size] : case_run.test.spec.parameters) sizes.insert(name);
      arrays = arrays_inside(code, std::move(sizes));
    }
    const auto uneven =
        std::ranges::find_if(arrays, [&](const ArrayInside& each) { return is_uneven(each, finding, submission_run); });
    if (uneven == arrays.end() || finding.access.bytes % uneven->bytes != 0) continue;
    const std::int64_t together = static_cast<std::int64_t>(finding.access.bytes) / uneven->bytes;
    const Setting& shown = uneven->set ? *uneven->set : uneven->pointer;
    finding.other = OtherPlace{uneven->set ? "the distance of the arrays" : "this array begins there",
                               {finding.where.file, shown.line, shown.column},
                               {},
                               {}};
    finding.help = help_for(*uneven, together);
  }
}

}  // namespace cudalabs
