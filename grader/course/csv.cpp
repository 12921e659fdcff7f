// Tables as comma-separated values (RFC 4180).
#include "course/csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/printable.h"

namespace cudalabs::course {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// The sign that separates fields in the first line: quoted ones do not count.
char delimiter_of(std::string_view text) {
  std::size_t commas = 0, semicolons = 0, tabs = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\n' || c == '\r') break;
    commas += c == ',' ? 1 : 0;
    semicolons += c == ';' ? 1 : 0;
    tabs += c == '\t' ? 1 : 0;
  }
  if (semicolons > commas && semicolons >= tabs) return ';';
  return tabs > commas ? '\t' : ',';
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view name, char delimiter)
      : text_(text), name_(name), delimiter_(delimiter) {}

  void read(CsvTable& table) {
    while (at_ < text_.size()) {
      const std::size_t line = line_;
      CsvRow row = next_row();
      if (std::ranges::all_of(row, &std::string::empty)) continue;
      table.rows.push_back(std::move(row));
      table.lines.push_back(line);
    }
  }

 private:
  [[noreturn]] void fail(std::size_t line, std::string_view message) const {
    throw CsvError(fmt::format("{}:{}: {}", name_, line, message));
  }
  bool done() const { return at_ >= text_.size(); }
  bool at_line_end() const { return text_[at_] == '\n' || text_[at_] == '\r'; }

  /// Behind one line end, if there is one here.
  void skip_line_end() {
    if (done() || !at_line_end()) return;
    if (text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_;
    ++at_;
    ++line_;
  }

  CsvRow next_row() {
    CsvRow row;
    for (;;) {
      row.push_back(!done() && text_[at_] == '"' ? quoted() : plain());
      if (done() || text_[at_] != delimiter_) break;
      ++at_;
      if (done()) row.emplace_back();
    }
    skip_line_end();
    return row;
  }

  std::string plain() {
    const std::size_t start = at_;
    while (!done() && text_[at_] != delimiter_ && !at_line_end()) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  std::string quoted() {
    const std::size_t first_line = line_;
    std::string field;
    for (++at_;; ++at_) {
      if (done()) fail(first_line, "a quoted field that begins here never ends");
      if (text_[at_] == '\n') ++line_;
      if (text_[at_] != '"') {
        field += text_[at_];
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        field += text_[++at_];
      } else {
        break;
      }
    }
    ++at_;
    if (!done() && text_[at_] != delimiter_ && !at_line_end()) fail(line_, "there is text behind a closing quote");
    return field;
  }

  std::string_view text_, name_;
  char delimiter_;
  std::size_t at_ = 0, line_ = 1;
};

/// The line of the first byte that is NUL or no UTF-8; 0 when there is none.
std::size_t line_of_bad_byte(std::string_view text) {
  std::size_t line = 1;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find('\n'));
    if (one.find('\0') != std::string_view::npos || !is_utf8(one)) return line;
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    ++line;
  }
  return 0;
}

}  // namespace

CsvTable read_csv(std::string_view text, std::string_view name) {
  CsvTable table;
  table.byte_order_mark = text.starts_with(kByteOrderMark);
  if (table.byte_order_mark) text.remove_prefix(kByteOrderMark.size());
  if (const std::size_t line = line_of_bad_byte(text); line != 0)
    throw CsvError(fmt::format("{}:{}: this is not UTF-8 text; save the table as CSV in UTF-8", name, line));
  table.delimiter = delimiter_of(text);
  Reader(text, name, table.delimiter).read(table);
  return table;
}

std::string csv_line(const CsvRow& row, char delimiter) {
  std::string line;
  for (const std::string& field : row) {
    if (&field != row.data()) line += delimiter;
    const bool plain = field.find_first_of(std::string("\"\r\n") + delimiter) == std::string::npos &&
                       !field.starts_with(' ') && !field.ends_with(' ');
    if (plain) {
      line += field;
      continue;
    }
    line += '"';
    for (const char c : field) line.append(c == '"' ? 2 : 1, c);
    line += '"';
  }
  return line + "\r\n";
}

std::string no_formula(std::string_view text) {
  constexpr std::string_view kFirst = "=+-@\t\r\n";
  const bool formula = !text.empty() && kFirst.find(text.front()) != std::string_view::npos;
  std::string shown(formula ? "'" : "");
  return shown.append(text);
}

}  // namespace cudalabs::course
