// What the screen of a wrong sample must say first, and whether it does.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace cudalabs::lint {

/// The finding or the check that is to be fixed first.
struct First {
  std::string id = {};
  bool is_check = false;
  std::string code = {};  // part of the only line that the finding may blame; empty: any line, or none
  /// Where the screen shows that line: blamed, beside the one that is blamed, or one of the two, which the front end
  /// decides.
  enum class Shown : std::uint8_t { at, beside, either };
  Shown shown = Shown::at;
  std::uint32_t line = 0;       // of that code, from 1; 0: any
  std::uint32_t statement = 0;  // the line in which the statement with that code begins; 0: any
  std::uint32_t other = 0;      // what a screen shows beside `line`; 0: nothing

  bool operator==(const First&) const = default;
};

/// Of a comment line "// FIRST: shared-race at `sum += tile_a[ty][k]`", "// FIRST: result-mismatch beside `sum +=`",
/// "// FIRST: result-mismatch showing `sum +=`", "// FIRST: result-mismatch" or "// FIRST: check host_time"; nothing
/// for anything else. The line of the code is not looked up.
std::optional<First> parse_first(const std::string& line);

/// The line of `text`, from 1, that holds `code`, its comment lines at the start apart; 0 where none or several do.
std::uint32_t line_of(const std::string& code, const std::string& text);

/// The line, from 1, in which the statement begins that goes on in `line`, at its least.
std::uint32_t statement_of(std::uint32_t line, const std::string& text);

/// "shared-race at line 23".
std::string describe(const First& first);

/// What the screen says first; where it shows no finding, what the report (version 1) has first. An empty id: nothing.
First first_of(const std::string& screen, const nlohmann::json& report);

/// Empty when the screen says first what it must, else what it says. `by_statement`: nvcc writes each statement of the
/// host's code on one line before the host's compiler sees it, so that the first line of the statement is as good.
std::string objection_to_first(const First& expected, const std::string& screen, const nlohmann::json& report,
                               bool by_statement);

/// Whether a submission of this report may take more than a screen: the compiler's words are never cut.
bool may_be_long(const nlohmann::json& report);

}  // namespace cudalabs::lint
