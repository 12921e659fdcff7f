// Line by line, by hand: the formats are small, and compiler output is as long and as odd as its author wants.
#include "build/diagnostics.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "build/side_errors.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::builder {
namespace {

std::optional<std::uint32_t> whole_number(std::string_view digits) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty()) return std::nullopt;
  return value;
}

/// Takes ":12" off the end.
std::optional<std::uint32_t> take_number(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto number = whole_number(text.substr(colon + 1));
  if (number) text = text.substr(0, colon);
  return number;
}

/// "a.cu:12:3", "a.cu:12", "a.cu(12)" or "a.cu".
SourcePlace place_of(std::string_view text) {
  SourcePlace place;
  if (text.ends_with(')')) {
    const std::size_t open = text.rfind('(');
    const auto line =
        open == std::string_view::npos ? std::nullopt : whole_number(text.substr(open + 1, text.size() - open - 2));
    if (line) {
      place.line = *line;
      place.file = text.substr(0, open);
      return place;
    }
  }
  const auto last = take_number(text);
  const auto before = last ? take_number(text) : std::nullopt;
  if (before) {
    place.line = *before;
    place.column = *last;
  } else if (last) {
    place.line = *last;
  }
  place.file = text;
  return place;
}

struct Message {
  SourcePlace where;
  std::string_view kind;  // "error", "warning", "note"
  std::string_view text;
};

std::optional<Message> message_in(std::string_view line) {
  constexpr std::pair<std::string_view, std::string_view> kMarks[] = {
      {": fatal error: ", "error"}, {": catastrophic error: ", "error"}, {": error: ", "error"},
      {": warning: ", "warning"},   {": warning #", "warning"},          {": note: ", "note"},
      {": error : ", "error"}};
  std::optional<Message> best;
  std::size_t at = std::string_view::npos;
  for (const auto& [mark, kind] : kMarks) {
    const std::size_t found = line.find(mark);
    // The earliest mark is the message's own; later ones are part of what it says.
    if (found < at) {
      at = found;
      best = Message{place_of(line.substr(0, found)), kind, line.substr(found + mark.size())};
    }
  }
  if (best && best->where.file.find(' ') != std::string::npos && !best->where.known()) best->where = {};
  return best;
}

/// The source line below a message and the line with its caret, from the caret on: what the message is about.
std::string_view under_caret(std::string_view source, std::string_view marks) {
  const std::size_t caret = marks.find_first_of("^~");
  const bool only_marks = marks.find_first_not_of(" \t^~") == std::string_view::npos;
  if (caret == std::string_view::npos || !only_marks || caret >= source.size()) return {};
  return source.substr(caret);
}

/// `text` when it is a name and the end of its statement: "__syncthreads ;".
std::string_view lone_name(std::string_view text) {
  const std::size_t end = end_of_word(text, 0);
  const std::size_t next = text.find_first_not_of(" \t", end);
  const bool ends = next == std::string_view::npos || text[next] == ';';
  return end > 0 && ends ? text.substr(0, end) : std::string_view();
}

/// The text between "`" and "'" after `before`, with what stands before it.
std::optional<std::string_view> quoted_after(std::string_view line, std::string_view before) {
  const std::size_t start = line.find(before);
  if (start == std::string_view::npos) return std::nullopt;
  std::string_view rest = line.substr(start + before.size());
  const std::size_t end = rest.find('\'');
  if (end == std::string_view::npos) return std::nullopt;
  return rest.substr(0, end);
}

/// Cuts "/usr/bin/ld: " off a linker's line.
std::string_view without_program(std::string_view line) {
  const std::size_t colon = line.find(": ");
  if (colon != std::string_view::npos && line.substr(0, colon).ends_with("ld")) return line.substr(colon + 2);
  return line;
}

/// Takes "/tmp/cudalabs-x1/" off the end: where the job's root was when it had no root of its own.
void drop_absolute_prefix(std::string& text) {
  const auto in_path = [](char letter) {
    return is_word_letter(letter) || letter == '/' || letter == '-' || letter == '.';
  };
  std::size_t start = text.size();
  while (start > 0 && in_path(text[start - 1])) --start;
  if (start < text.size() && text[start] == '/' && text.back() == '/') text.resize(start);
}

}  // namespace

std::string with_own_paths(std::string_view text, const PathNames& names) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto name = std::find_if(names.begin(), names.end(),
                                   [&](const auto& candidate) { return text.starts_with(candidate.first); });
    if (name != names.end()) {
      drop_absolute_prefix(result);
      result += name->second;
      text.remove_prefix(name->first.size());
    } else {
      result += text.front();
      text.remove_prefix(1);
    }
  }
  return result;
}

std::vector<Finding> compile_errors(std::string_view text, std::size_t most) {
  std::vector<Finding> findings;
  bool in_error = false;
  for (const std::string_view line : text_lines(text)) {
    const std::optional<Message> message = message_in(line);
    if (!message) continue;
    if (message->kind == "note" && in_error) {
      std::string& note = findings.back().note;
      // The first note, but for one that tells on which side a function is: that is why it cannot be called.
      if (note.empty() || (is_about_sides(message->text) && !is_about_sides(note))) note = message->text;
      continue;
    }
    in_error = message->kind == "error";
    if (!in_error) continue;
    if (findings.size() == most) break;
    Finding finding;
    finding.id = "build-failed";
    finding.message = message->text;
    finding.where = message->where;
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<Finding> no_effect_warnings(std::string_view text, std::size_t most) {
  std::vector<Finding> findings;
  const std::vector<std::string_view> lines = text_lines(text);
  for (std::size_t i = 0; i < lines.size() && findings.size() < most; ++i) {
    const std::optional<Message> message = message_in(lines[i]);
    if (!message || message->kind != "warning" || !message->where.known()) continue;
    constexpr std::string_view kWords[] = {"expression result unused", "expression has no effect",
                                           "statement has no effect", "statement is a reference, not call"};
    const bool meant = std::any_of(std::begin(kWords), std::end(kWords), [&](std::string_view words) {
      return message->text.find(words) != std::string_view::npos;
    });
    // One line often has its warning twice: from nvcc's own pass and from the host's compiler.
    const bool known = std::any_of(findings.begin(), findings.end(), [&](const Finding& each) {
      return each.where.file == message->where.file && each.where.line == message->where.line;
    });
    if (!meant || known) continue;
    const std::string_view name = i + 2 < lines.size() ? lone_name(under_caret(lines[i + 1], lines[i + 2])) : "";
    Finding finding;
    finding.id = finding_ids::kNoEffect;
    finding.severity = Severity::warning;
    finding.where = message->where;
    if (name.empty()) {
      finding.message = "this statement has no effect";
      finding.help = "its value is not used: store it, or remove the statement";
    } else {
      finding.message = "`" + std::string(name) + "` is only named here: the statement does nothing";
      finding.help = "a function is called with parentheses: `" + std::string(name) + "();`";
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<CompilerWarning> telling_warnings(std::string_view text, std::size_t most) {
  // clang's words, then those of nvcc. Others, such as of a variable that nobody uses, are mostly harmless.
  constexpr std::string_view kWords[] = {"misleading indentation",
                                         "explicitly assigning value of variable",
                                         "using the result of an assignment as a condition",
                                         "has empty body",
                                         "has lower precedence than",
                                         "is always ",
                                         "always evaluate to",
                                         "uninitialized when",
                                         "unsequenced modification",
                                         "changes value from",
                                         "by zero",
                                         "logical not is only applied",
                                         "avoid dangling else",
                                         "shift count",
                                         "is past the end of the array",
                                         "may have been intended",
                                         "may be intended as",
                                         "is used before its value is set",
                                         "subscript out of range",
                                         "comparison of unsigned integer with"};
  std::vector<CompilerWarning> warnings;
  for (const std::string_view line : text_lines(text)) {
    if (warnings.size() == most) break;
    const std::optional<Message> message = message_in(line);
    if (!message || message->kind != "warning" || !message->where.known()) continue;
    const bool tells = std::any_of(std::begin(kWords), std::end(kWords), [&](std::string_view words) {
      return message->text.find(words) != std::string_view::npos;
    });
    const bool known = std::any_of(warnings.begin(), warnings.end(), [&](const CompilerWarning& each) {
      return each.where.file == message->where.file && each.where.line == message->where.line;
    });
    if (!tells || known) continue;
    std::string_view said = message->text;
    if (said.ends_with(']')) said = said.substr(0, said.rfind(" ["));
    if (!said.empty() && is_digit(said.front())) said = said.substr(std::min(said.size(), said.find(": ") + 2));
    warnings.push_back({message->where, std::string(said)});
  }
  return warnings;
}

std::vector<LinkProblem> link_problems(std::string_view text) {
  std::vector<LinkProblem> problems;
  for (const std::string_view full : text_lines(text)) {
    const std::string_view line = without_program(full);
    LinkProblem problem;
    std::size_t at = 0;
    if (const auto missing = quoted_after(line, "undefined reference to `")) {
      problem.symbol = *missing;
      at = line.find(": undefined reference to `");
    } else if (const auto twice = quoted_after(line, "multiple definition of `")) {
      problem.kind = LinkProblem::Kind::multiple;
      problem.symbol = *twice;
      at = line.find(": multiple definition of `");
    } else {
      continue;
    }
    if (at != std::string_view::npos) problem.where = place_of(line.substr(0, at));
    if (!problem.where.known()) problem.where = {};  // "file.o:(.text+0x3)"
    const auto same = std::find_if(problems.begin(), problems.end(), [&](const LinkProblem& each) {
      return each.kind == problem.kind && each.symbol == problem.symbol;
    });
    if (same == problems.end()) {
      problems.push_back(std::move(problem));
    } else if (!same->where.known()) {
      same->where = problem.where;
    }
  }
  return problems;
}

std::vector<Symbol> symbols(std::string_view nm_output) {
  std::vector<Symbol> all;
  for (std::string_view line : text_lines(nm_output)) {
    // "0000000000000010 T matmul(float*)\t/submission/matmul.cu:5"
    const std::size_t kind = line.find(' ');
    if (kind == 0 || kind == std::string_view::npos || kind + 3 >= line.size() || line[kind + 2] != ' ') continue;
    Symbol symbol;
    symbol.local = line[kind + 1] >= 'a' && line[kind + 1] <= 'z';
    std::string_view rest = line.substr(kind + 3);
    if (const std::size_t tab = rest.rfind('\t'); tab != std::string_view::npos) {
      symbol.where = place_of(rest.substr(tab + 1));
      rest = rest.substr(0, tab);
    }
    symbol.name = rest;
    all.push_back(std::move(symbol));
  }
  return all;
}

std::string_view base_name(std::string_view demangled) {
  // The parameter list is the first parenthesis outside template arguments; names end before it.
  std::size_t depth = 0, end = demangled.size();
  std::size_t start = 0;
  for (std::size_t i = 0; i < demangled.size(); ++i) {
    const char letter = demangled[i];
    if (letter == '<') {
      if (depth == 0) end = std::min(end, i);
      ++depth;
    } else if (letter == '>' && depth > 0) {
      --depth;
    } else if (depth == 0 && letter == '(') {
      // "(anonymous namespace)::f(int)": a parenthesis that is part of a scope.
      const std::size_t close = demangled.find(')', i);
      if (close != std::string_view::npos && demangled.substr(close + 1).starts_with("::")) {
        i = close;
        continue;
      }
      end = std::min(end, i);
      break;
    } else if (depth == 0 && letter == ':' && demangled.substr(i).starts_with("::")) {
      start = i + 2;
      end = demangled.size();
      ++i;
    } else if (depth == 0 && letter == ' ' && i < end) {
      start = i + 1;  // a return type, as templates have
    }
  }
  return demangled.substr(start, std::max(start, end) - start);
}

std::string cut_lines(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  const std::size_t end = text.rfind('\n', most);
  const std::size_t kept = end == std::string_view::npos || end > most ? most : end + 1;
  return std::string(text.substr(0, kept)) + "… (" + std::to_string(text.size() - kept) + " more bytes)\n";
}

}  // namespace cudalabs::builder
