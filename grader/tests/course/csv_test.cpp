// Tables that spreadsheets and learning management systems read and write.
#include "course/csv.h"

#include "catch.h"

using namespace cudalabs::course;

namespace {

std::vector<CsvRow> rows(std::string_view text) {
  return read_csv(text, "t.csv").rows;
}

}  // namespace

TEST_CASE("fields, quoted or not, with every kind of line end") {
  CHECK(rows("a,b\n1,2\n") == std::vector<CsvRow>{{"a", "b"}, {"1", "2"}});
  CHECK(rows("a,b\r\n1,2") == std::vector<CsvRow>{{"a", "b"}, {"1", "2"}});
  CHECK(rows("a,b\r1,2\r") == std::vector<CsvRow>{{"a", "b"}, {"1", "2"}});
  CHECK(rows("\"a,\"\"x\"\"\",\"b\nc\"\n") == std::vector<CsvRow>{{"a,\"x\"", "b\nc"}});
  CHECK(rows("a,,\n\n,,\n,b,\n") == std::vector<CsvRow>{{"a", "", ""}, {"", "b", ""}});
  CHECK(rows("").empty());
}

TEST_CASE("a byte order mark and the sign between fields are found out") {
  const CsvTable table = read_csv("\xef\xbb\xbfName;\"a,b,c\"\nx;y\n", "t.csv");
  CHECK(table.byte_order_mark);
  CHECK(table.delimiter == ';');
  CHECK(table.rows == std::vector<CsvRow>{{"Name", "a,b,c"}, {"x", "y"}});
  CHECK(read_csv("a\tb\n", "t").delimiter == '\t');
}

TEST_CASE("lines are counted through quoted line ends") {
  const CsvTable table = read_csv("a\n\"x\ny\"\n\nb\n", "t.csv");
  CHECK(table.lines == std::vector<std::size_t>{1, 2, 5});
}

TEST_CASE("what is no table is refused with its line") {
  CHECK_THROWS_WITH(rows("a\n\"b\nc"), "t.csv:2: a quoted field that begins here never ends");
  CHECK_THROWS_WITH(rows("a\n\"b\"c\n"), "t.csv:2: there is text behind a closing quote");
  CHECK_THROWS_WITH(rows("a\n\xff\xfe"), "t.csv:2: this is not UTF-8 text; save the table as CSV in UTF-8");
  CHECK_THROWS_WITH(rows(std::string_view("a\0b", 3)),
                    "t.csv:1: this is not UTF-8 text; save the table as CSV in UTF-8");
}

TEST_CASE("what is written is read as it was") {
  const std::vector<CsvRow> table{{"a", "", "x,y"}, {"\"", "1\r\n2", " b "}, {"ä", ";", "-1"}};
  std::string text;
  for (const CsvRow& row : table) text += csv_line(row);
  CHECK(rows(text) == table);
  CHECK(csv_line({"a", "b c", "d\"e"}) == "a,b c,\"d\"\"e\"\r\n");
}

TEST_CASE("formulas are text in a spreadsheet") {
  for (const char* formula : {"=1+1", "+1", "-1+cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "\r=1"})
    CHECK(no_formula(formula) == std::string("'") + formula);
  CHECK(no_formula("a=1") == "a=1");
  CHECK(no_formula("").empty());
}
