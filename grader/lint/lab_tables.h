// The tables that are made of lab.toml: the points in each handout, and the labs in the project's README.md.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lab/lab.h"

namespace cudalabs::lint {

/// The points table as the lab's handout must have it, a line for each check.
std::string points_table(const Lab& lab);

/// The table of labs as README.md beside labs/ must have it, a line for each lab.
std::string table_of_labs(const std::vector<Lab>& labs);

/// How the table in `markdown` that begins with the first line of `table` differs from it: a sentence for each line
/// that is too much, missing or out of order, and one where there is no such table; none where it is the same.
std::vector<std::string> differences(const std::string& markdown, const std::string& table);

/// `markdown` with `table` in the place of the table that begins with its first line; the same where there is none.
std::string with_table(const std::string& markdown, const std::string& table);

/// Puts the table into the file, which is left alone where that changes nothing; whether it was written. Throws
/// std::runtime_error when it cannot be.
bool write_table(const std::filesystem::path& file, const std::string& table);

}  // namespace cudalabs::lint
