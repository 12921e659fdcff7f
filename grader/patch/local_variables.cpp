#include "patch/local_variables.h"

#include "patch/patched_source.h"

namespace cudalabs::patch {

std::vector<LocalVariable> local_variables(const PatchedSource& source) {
  std::vector<LocalVariable> variables;
  for (std::size_t index = 0; index < source.statements.all.size(); ++index) {
    const Statement& statement = source.statements.all[index];
    if (statement.kind != StatementKind::declaration) continue;
    for (const Variable& variable : variables_of_declaration(source.tokens, statement.first, statement.last + 1)) {
      variables.push_back({index, variable, source.tokens[variable.name].text});
    }
  }
  return variables;
}

bool is_visible(const Statements& statements, const LocalVariable& variable, std::size_t statement) {
  const Statement& declaration = statements.all[variable.statement];
  if (declaration.function != statements.all[statement].function) return false;
  for (std::size_t at = statement; at != kNone; at = statements.all[at].parent) {
    const Statement& around = statements.all[at];
    if (around.block == declaration.block) return declaration.last < around.first;
  }
  return false;
}

bool has_type(const PatchedSource& source, const Variable& variable, std::string_view word) {
  for (std::size_t at = variable.type; at < variable.type_end; ++at) {
    if (source.tokens[at].is(word)) return true;
  }
  return false;
}

bool is_pointer(const PatchedSource& source, const Variable& variable) {
  const Token& before = source.tokens[variable.name - 1];
  return before.is("*") || before.is("&") || source.tokens[variable.name + 1].is("[");
}

const LocalVariable* variable_at(const Statements& statements, const std::vector<LocalVariable>& variables,
                                 std::size_t statement, std::string_view name) {
  const LocalVariable* last = nullptr;
  for (const LocalVariable& variable : variables) {
    if (variable.name == name && is_visible(statements, variable, statement)) last = &variable;
  }
  return last;
}

}  // namespace cudalabs::patch
