// Calls that copy to the device, in the text of the host's functions.
#include "explain/memory/device_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// A program that makes more copies is not looked at further.
constexpr int kMostCopies = 64;

struct Copy {
  std::string_view call, from, size;  // the arguments
  std::size_t begin = 0, end = 0;     // in the function's body
};

/// Whether it copies from the host, and which of its arguments is the source.
bool copies_to_device(std::string_view call, const std::vector<std::string_view>& arguments) {
  if (arguments.size() < 3) return false;
  if (call == "cudaMemcpyToSymbol" || call == "cudaMemcpyToSymbolAsync") return true;
  const bool plain = call == "cudaMemcpy" || call == "cudaMemcpyAsync";
  return plain && arguments.size() > 3 && arguments[3] == "cudaMemcpyHostToDevice";
}

std::vector<Copy> copies_in(std::string_view body, int& left) {
  std::vector<Copy> copies;
  for_each_name(body, [&](std::size_t at, std::string_view name) {
    if (!name.starts_with("cudaMemcpy") || left == 0) return;
    const std::size_t open = past_spaces(body, at + name.size());
    if (open >= body.size() || body[open] != '(') return;
    const std::size_t end = past_bracket(body, open);
    if (end == kNowhere) return;
    --left;
    const auto arguments = items_of(body.substr(open + 1, end - open - 2));
    if (copies_to_device(name, arguments)) copies.push_back({name, arguments[1], arguments[2], at, end});
  });
  return copies;
}

/// "Job" of "const Job* j", where a value of the type has, as far as one can tell, another size than a pointer.
std::string pointee_of(const std::string& parameter, std::string_view name) {
  if (parameter_name(parameter) != name) return {};
  const std::size_t star = parameter.find('*');
  if (star == std::string::npos || parameter.find('*', star + 1) != std::string::npos) return {};
  std::string type(word_before(parameter, star));
  constexpr std::array<std::string_view, 9> kAsLarge{"double",    "long",   "size_t", "int64_t", "uint64_t",
                                                     "ptrdiff_t", "float2", "int2",   "void"};
  return std::ranges::find(kAsLarge, type) != kAsLarge.end() ? std::string() : type;
}

/// "sizeof(j)" and "sizeof j" of a parameter that is a pointer, and that is copied from.
std::optional<DeviceCopy> of_pointer_size(const FunctionBody& function, const Copy& copy) {
  constexpr std::string_view kSizeof = "sizeof";
  if (!is_identifier(copy.from) || !copy.size.starts_with(kSizeof)) return std::nullopt;
  std::string_view operand = copy.size.substr(kSizeof.size());
  operand = operand.substr(past_spaces(operand, 0));
  if (operand.starts_with('(') && operand.ends_with(')')) operand = operand.substr(1, operand.size() - 2);
  if (operand != copy.from) return std::nullopt;
  for (const std::string& parameter : function.parameters) {
    const std::string type = pointee_of(parameter, copy.from);
    if (!type.empty())
      return DeviceCopy{DeviceCopy::Mistake::pointer_size, std::string(copy.call), std::string(copy.from), type, 0, {}};
  }
  return std::nullopt;
}

/// The value is stored to: "t.n = " or "t = ", and through a pointer "t->n = " or "t[0] = ".
bool has_value_stored(std::string_view body, std::size_t at, std::string_view name, bool pointer) {
  std::size_t next = past_spaces(body, at + name.size());
  if (pointer && body[next] != '[' && !body.substr(next).starts_with("->")) return false;
  while (next < body.size()) {
    if (body[next] == '[') {
      const std::size_t end = past_bracket(body, next);
      if (end == kNowhere) return false;
      next = past_spaces(body, end);
    } else if (body[next] == '.' || body.substr(next).starts_with("->")) {
      next = past_spaces(body, end_of_word(body, past_spaces(body, next + (body[next] == '.' ? 1 : 2))));
    } else {
      break;
    }
  }
  return body.substr(next).starts_with('=') && !body.substr(next).starts_with("==");
}

/// What is copied from is stored to between the copy and the next launch, and not copied again before that.
std::optional<std::size_t> change_after(std::string_view body, const Copy& copy, std::string_view from) {
  const bool pointer = !copy.from.starts_with('&');
  const std::size_t launch = body.find("<<<", copy.end);
  if (launch == kNowhere) return std::nullopt;
  std::optional<std::size_t> change;
  bool again = false;
  for_each_name(body.substr(0, launch), [&](std::size_t at, std::string_view name) {
    if (at < copy.end) return;
    again = again || name == copy.call;
    if (!change && name == from && has_value_stored(body, at, name, pointer)) change = at;
  });
  return again ? std::nullopt : change;
}

std::optional<DeviceCopy> wrong_copy_in(const FunctionBody& function, std::string_view code, int& left) {
  const std::string_view body = code.substr(function.begin, function.end - function.begin);
  for (const Copy& copy : copies_in(body, left)) {
    if (auto found = of_pointer_size(function, copy)) {
      found->line = line_at(code, function.begin + copy.begin);
      return found;
    }
    std::string_view from = copy.from;
    if (from.starts_with('&')) from = from.substr(past_spaces(from, 1));
    if (!is_identifier(from)) continue;
    const auto change = change_after(body, copy, from);
    if (!change) continue;
    return DeviceCopy{DeviceCopy::Mistake::too_early,
                      std::string(copy.call),
                      std::string(from),
                      {},
                      line_at(code, function.begin + copy.begin),
                      setting_at_place(code, function.begin + *change, from)};
  }
  return std::nullopt;
}

std::string help_with_copied(const DeviceCopy& copy) {
  if (copy.mistake == DeviceCopy::Mistake::pointer_size) {
    return fmt::format(
        "`{0}` is a pointer, and `sizeof({0})` its size, 8 bytes: `{1}` copies no more; write "
        "`sizeof(*{0})`, or `sizeof({2})`",
        copy.from, copy.call, copy.type);
  }
  return fmt::format(
      "the device keeps what `{0}` held when `{1}` copied it in line {2}: store every value in `{0}` before the copy",
      copy.from, copy.call, copy.line);
}

}  // namespace

std::optional<DeviceCopy> wrong_copy(std::string_view source) {
  const std::string code = without_comments(source);
  int left = kMostCopies;
  for (const FunctionBody& function : function_bodies(code)) {
    if (auto found = wrong_copy_in(function, code, left)) return found;
  }
  return std::nullopt;
}

void show_wrong_copy(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  if (findings.empty()) return;
  MergedFinding& finding = findings.front();
  const bool output = finding.is_of_output(), null = finding.id == finding_ids::kNullPointerDereference;
  if ((!output && !null) || (finding.where.known() && !finding.is_in_file(file))) return;
  const auto copy = wrong_copy(source);
  if (!copy) return;
  const bool size = copy->mistake == DeviceCopy::Mistake::pointer_size;
  // What is copied may change afterwards in a right program, too: a cause that accounts for the values comes first.
  if (!size && (finding.proven || finding.known)) return;
  const std::string place_file = finding.where.known() ? finding.where.file : file;
  const SourcePlace call{place_file, copy->line, 0};
  finding.help = help_with_copied(*copy);
  if (null) {
    finding.other = size ? OtherPlace{"this copies the size of a pointer", call, {}, {}}
                         : OtherPlace{"this changes the value after its copy",
                                      {place_file, copy->change.line, copy->change.column},
                                      {},
                                      {}};
    return;
  }
  finding.kernel.clear();
  finding.block.reset();
  finding.thread.reset();
  if (size) {
    finding.where = call;
    finding.other.reset();
  } else {
    finding.where = {place_file, copy->change.line, copy->change.column};
    finding.other = OtherPlace{fmt::format("`{}` has copied `{}` before that", copy->call, copy->from), call, {}, {}};
  }
}

}  // namespace cudalabs
