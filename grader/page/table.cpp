// Tables for templates.
#include "page/table.h"

namespace cudalabs::page {

Cell text_cell(std::string_view text, const std::string& kind) {
  return {Markup::made_here(escaped(text)), kind};
}

Cell prose_cell(std::string_view text) {
  return {Markup::prose(text)};
}

Cell number_cell(std::string_view text, const std::string& kind) {
  return text_cell(text, kind.empty() ? "n" : "n " + kind);
}

Cell code_cell(std::string_view text) {
  return {Markup::made_here("<code>" + escaped(text) + "</code>"), "key"};
}

Cell link_cell(std::string_view text, const std::string& link, const std::string& kind) {
  return {Markup::made_here(escaped(text)), kind, link};
}

Values table_values(std::string_view label, const std::vector<Column>& columns,
                    const std::vector<std::vector<Cell>>& rows) {
  std::vector<Values> heads, lines;
  for (const Column& column : columns)
    heads.push_back(Values().text("name", column.name).text("kind", column.number ? "n" : ""));
  for (const std::vector<Cell>& row : rows) {
    std::vector<Values> cells;
    for (const Cell& cell : row) {
      Values values;
      cells.push_back(values.markup("text_markup", cell.content).text("kind", cell.kind).text("link", cell.link));
    }
    lines.push_back(Values().list("cells", cells));
  }
  return Values().text("label", label).list("columns", heads).list("rows", lines);
}

}  // namespace cudalabs::page
