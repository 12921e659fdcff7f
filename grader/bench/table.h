// One table of the benchmark's report.
#pragma once

#include <string>
#include <vector>

namespace cudalabs::bench {

/// Prints `rows` under `header` with columns as wide as their widest cell; the first column is left-aligned, the others
/// right.
void print_table(const std::string& title, const std::vector<std::string>& header,
                 const std::vector<std::vector<std::string>>& rows);

double median(std::vector<double> values);

}  // namespace cudalabs::bench
