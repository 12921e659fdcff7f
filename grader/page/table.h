// Tables for templates.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "page/markup.h"
#include "page/values.h"

namespace cudalabs::page {

struct Cell {
  Markup content;
  std::string kind = {};  // classes
  std::string link = {};  // a relative address; empty: none
};

Cell text_cell(std::string_view text, const std::string& kind = {});
/// In which code stands between backticks.
Cell prose_cell(std::string_view text);
Cell number_cell(std::string_view text, const std::string& kind = {});
Cell code_cell(std::string_view text);
Cell link_cell(std::string_view text, const std::string& link, const std::string& kind = {});

struct Column {
  std::string name;
  bool number = false;
};

/// For the template `table`. `label` is what the table is called where nobody sees it.
Values table_values(std::string_view label, const std::vector<Column>& columns,
                    const std::vector<std::vector<Cell>>& rows);

}  // namespace cudalabs::page
