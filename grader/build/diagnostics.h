// What compilers and linkers print, read into findings and shown with the student's own paths. Pure.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "build/builder.h"
#include "vgpu/finding.h"

namespace cudalabs::builder {

/// Paths relative to the job's root and what the student knows them as; the first one that fits is used.
using PathNames = std::vector<std::pair<std::string, std::string>>;

/// Every mention of a job's path replaced, whether relative or absolute. `text` must be printable already.
std::string with_own_paths(std::string_view text, const PathNames& names);

/// Errors in compiler output (clang's and GNU's "file:line:column: error: …", nvcc's "file(line): error: …"), in order,
/// each a "build-failed" finding whose note holds the `note:` lines that follow it. At most `most`.
std::vector<Finding> compile_errors(std::string_view text, std::size_t most);

/// Statements of which a compiler warns that they have no effect (clang's -Wunused-value, nvcc's #174-D), each once, as
/// a "no-effect" warning: most often a function, as `__syncthreads`, that is named without parentheses and so not
/// called. At most `most`.
std::vector<Finding> no_effect_warnings(std::string_view text, std::size_t most);

/// Warnings that often tell a mistake, of each line the first: a statement that is not in the loop it is indented as,
/// an assignment as a condition, a comparison that is always false, a variable without a value. At most `most`.
std::vector<CompilerWarning> telling_warnings(std::string_view text, std::size_t most);

/// A name the linker wanted and did not find, or found twice; `where` is what it said about the place.
struct LinkProblem {
  enum class Kind { undefined, multiple } kind = Kind::undefined;
  std::string symbol;  // demangled, "matmul(float const*, int)"
  SourcePlace where;
  bool operator==(const LinkProblem&) const = default;
};
/// From GNU ld's messages; each symbol once, at the first place that has a line.
std::vector<LinkProblem> link_problems(std::string_view text);

/// A function or variable an object file defines, from `nm -C -l`.
struct Symbol {
  std::string name;    // demangled
  bool local = false;  // `static`, or in an unnamed namespace
  SourcePlace where;
};
std::vector<Symbol> symbols(std::string_view nm_output);

/// "ns::matmul<int>(float*)" -> "matmul".
std::string_view base_name(std::string_view demangled);

/// A prefix of `text` of at most `most` bytes that ends at a line's end, with a line that says how much was cut.
std::string cut_lines(std::string_view text, std::size_t most);

}  // namespace cudalabs::builder
