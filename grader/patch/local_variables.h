// The local variables of a source's functions, and where they are visible.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "patch/declarations.h"
#include "patch/patch.h"
#include "patch/patched_source.h"
#include "patch/statements.h"

namespace cudalabs::patch {

/// Declared by a statement of its own, not by a loop or as a parameter.
struct LocalVariable {
  std::size_t statement = kNone;
  Variable variable;
  std::string_view name;
};

std::vector<LocalVariable> local_variables(const PatchedSource& source);

/// Whether the statement can use it: it stands behind the declaration, in the same block or in one within.
bool is_visible(const Statements& statements, const LocalVariable& variable, std::size_t statement);

/// Whether one of the words of its type is `word`; pointers' types are those of what they point to.
bool has_type(const PatchedSource& source, const Variable& variable, std::string_view word);
bool is_pointer(const PatchedSource& source, const Variable& variable);

/// The last one of this name that the statement can use; nullptr: there is none.
const LocalVariable* variable_at(const Statements& statements, const std::vector<LocalVariable>& variables,
                                 std::size_t statement, std::string_view name);

}  // namespace cudalabs::patch
