// Tables as comma-separated values (RFC 4180), as learning management systems and spreadsheets read and write them.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs::course {

using CsvRow = std::vector<std::string>;

struct CsvTable {
  std::vector<CsvRow> rows;        // the header among them; rows without any text are left out
  std::vector<std::size_t> lines;  // where each row begins, from 1
  char delimiter = ',';
  bool byte_order_mark = false;
};

class CsvError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Takes a byte order mark, LF, CRLF or CR as line end, quoted fields with line ends and doubled quotes in them, and
/// commas, semicolons or tabs between fields, whichever the first line has most of. `name` is the file's, for messages.
/// Throws CsvError with "name:line: " for a quote that nothing closes, text behind a closing quote, a NUL byte, and
/// text that is not UTF-8.
CsvTable read_csv(std::string_view text, std::string_view name);

/// One row, with CRLF at its end. Quotes fields where they need it.
std::string csv_line(const CsvRow& row, char delimiter = ',');

/// `text` as a spreadsheet shows it and does not compute it: what it would take for a formula gets an apostrophe in
/// front. For text that people wrote, not for numbers.
std::string no_formula(std::string_view text);

}  // namespace cudalabs::course
