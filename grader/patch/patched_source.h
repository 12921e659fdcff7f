// A submission's text and what is read in it, once for all operators.
#pragma once

#include <string_view>
#include <vector>

#include "patch/declared_variables.h"
#include "patch/statements.h"
#include "patch/token_roles.h"
#include "patch/tokens.h"

namespace cudalabs::patch {

/// `text` has no comments, and must outlive it.
struct PatchedSource {
  explicit PatchedSource(std::string_view text)
      : code(text),
        tokens(tokens_of(text)),
        roles(tokens),
        variables(roles, tokens),
        statements(statements_of(tokens)) {}
  // The roles and the variables refer to the tokens.
  PatchedSource(const PatchedSource&) = delete;
  PatchedSource& operator=(const PatchedSource&) = delete;

  const std::string_view code;
  const std::vector<Token> tokens;  // empty: nothing can be changed
  const TokenRoles roles;
  const DeclaredVariables variables;
  const Statements statements;
};

}  // namespace cudalabs::patch
