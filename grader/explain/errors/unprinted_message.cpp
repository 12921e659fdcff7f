// Calls are read as text; what was printed is known from the run.
#include "explain/errors/unprinted_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "explain/errors/unreported_error.h"
#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// A longer call is not written out, and a longer statement not read.
constexpr std::size_t kLongestCall = 40, kLongestMaking = 500;

/// Of functions, streams and files that may show a text to a person.
constexpr std::array<std::string_view, 26> kPrinting{
    "printf", "fprintf", "vprintf",  "vfprintf", "dprintf",  "vdprintf", "puts",   "fputs",  "putchar",
    "putc",   "fputc",   "putwchar", "wprintf",  "fwprintf", "fwrite",   "write",  "writev", "perror",
    "cerr",   "cout",    "clog",     "print",    "println",  "ofstream", "syslog", "system"};

bool prints(std::string_view code) {
  bool found = false;
  for_each_name(code, [&](std::size_t, std::string_view name) {
    found = found || std::ranges::find(kPrinting, name) != kPrinting.end();
  });
  return found;
}

/// "text" of "snprintf(text, sizeof text, ..., " before the call.
std::string_view buffer_before(std::string_view code, std::size_t call) {
  const std::size_t least = call - std::min(call, kLongestMaking);
  const std::string_view before = code.substr(least, call - least);
  const std::size_t separator = before.find_last_of(";{}");
  const std::string_view head = separator == kNowhere ? before : before.substr(separator + 1);
  std::string_view buffer;
  for_each_name(head, [&](std::size_t at, std::string_view name) {
    if (name != "snprintf" && name != "sprintf") return;
    const std::size_t open = past_spaces(head, at + name.size());
    if (open >= head.size() || head[open] != '(') return;
    const std::size_t begin = past_spaces(head, open + 1), end = end_of_word(head, begin);
    const std::size_t next = past_spaces(head, end);
    if (next < head.size() && head[next] == ',' && is_identifier(head.substr(begin, end - begin)))
      buffer = head.substr(begin, end - begin);
  });
  return buffer;
}

/// Nothing: what stands there is no call.
std::optional<UnprintedMessage> message_at(std::string_view code, std::size_t at, std::string_view name) {
  const std::size_t open = past_spaces(code, at + name.size());
  const std::size_t end =
      open < code.size() && code[open] == '(' ? past_bracket(code.substr(0, open + kLongestMaking), open) : kNowhere;
  if (end == kNowhere) return std::nullopt;
  std::string_view text = buffer_before(code, at);
  if (text.empty() && end - at <= kLongestCall) text = code.substr(at, end - at);
  return UnprintedMessage{setting_at_place(code, at, name), std::string(text)};
}

}  // namespace

std::optional<UnprintedMessage> unprinted_message(std::string_view code, std::uint32_t line) {
  if (prints(code)) return std::nullopt;
  std::vector<std::size_t> calls;
  for_each_name(code, [&](std::size_t at, std::string_view name) {
    if (name == "cudaGetErrorString" || name == "cudaGetErrorName") calls.push_back(at);
  });
  const auto function = function_around_line(code, line);
  const std::size_t begin =
      function ? static_cast<std::size_t>(text_lines(code)[line - 1].data() - code.data()) : code.size();
  const auto behind = std::ranges::find_if(calls, [&](std::size_t at) { return begin <= at && at < function->end; });
  if (behind == calls.end() && calls.size() != 1) return std::nullopt;
  const std::size_t at = behind == calls.end() ? calls.front() : *behind;
  return message_at(code, at, code.substr(at, end_of_word(code, at) - at));
}

void show_unprinted_messages(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  for (MergedFinding& finding : findings) {
    if (!is_unreported(finding) || !finding.is_in_file(file)) continue;
    const auto message = unprinted_message(without_comments(source), finding.where.line);
    if (!message) continue;
    if (finding.where.line != message->call.line) show_error_beside(finding);
    finding.failed_call.clear();
    finding.message = "the words for the error are made here, and the program prints them nowhere";
    finding.where = {finding.where.file, message->call.line, message->call.column};
    finding.count = 1;
    finding.proven = true;
    finding.help =
        message->text.empty()
            ? "print them to `stderr`"
            : fmt::format("print them to `stderr`, such as by `fprintf(stderr, \"%s\\n\", {})`", message->text);
  }
}

}  // namespace cudalabs
