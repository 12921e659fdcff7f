// Text tables and the median: what every part of the benchmark prints with.
#include "bench/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace cudalabs::bench {

void print_table(const std::string& title, const std::vector<std::string>& header,
                 const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> width;
  for (const std::string& cell : header) width.push_back(cell.size());
  for (const auto& row : rows) {
    for (std::size_t column = 0; column < row.size() && column < width.size(); ++column) {
      width[column] = std::max(width[column], row[column].size());
    }
  }
  const auto print_row = [&](const std::vector<std::string>& row) {
    for (std::size_t column = 0; column < row.size() && column < width.size(); ++column) {
      if (column == 0) {
        fmt::print("| {:<{}} ", row[column], width[column]);
      } else {
        fmt::print("| {:>{}} ", row[column], width[column]);
      }
    }
    fmt::print("|\n");
  };
  fmt::print("\n{}\n\n", title);
  print_row(header);
  for (std::size_t column = 0; column < width.size(); ++column) {
    fmt::print("|{}{}", std::string(width[column] + 1, '-'), column == 0 ? "-" : ":");
  }
  fmt::print("|\n");
  for (const auto& row : rows) print_row(row);
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace cudalabs::bench
