// The variables that a source declares: their types, and where they can be named.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "patch/token_roles.h"

namespace cudalabs::patch {

enum class VariablePlace : std::uint8_t { parameter, local, member, outside };

struct DeclaredVariable {
  std::string_view name;
  std::string type;             // "float*", "const float*", "int[]"; without `const`, `static` and the like of its own
  std::size_t at = 0, end = 0;  // its name's token, and the first one where it cannot be named any more
  std::size_t body = kNoToken;  // of its function; kNoToken: it is declared outside of functions
  VariablePlace place = VariablePlace::local;
  TokenRange value;  // its initialiser, without `=` and brackets; from 0 to 0: it has none

  bool has_value() const { return value.first != 0; }
  bool is_pointer() const { return type.ends_with('*') || type.ends_with(']'); }
  /// "int", "std::size_t"; not of pointers to them.
  bool is_integer() const;
  bool is_number() const;
};

class DeclaredVariables {
 public:
  DeclaredVariables(const TokenRoles& roles, const std::vector<Token>& tokens);

  const std::vector<DeclaredVariable>& all() const { return variables_; }
  /// The one that the name at `at` means; nullptr: none is declared.
  const DeclaredVariable* meant_at(std::size_t at) const { return meant_of(roles_.text(at), at); }
  /// The one that a name means at `at`, where it need not stand.
  const DeclaredVariable* meant_of(std::string_view name, std::size_t at) const;

 private:
  void read_body_parameters(std::size_t body);
  /// From `at`, where a statement or a parameter begins.
  void read_declaration(std::size_t at, VariablePlace place, std::size_t end);
  std::size_t past_type(std::size_t at, bool is_parameter, std::string& type) const;
  /// Past the declarator's value; its first token is the name.
  std::size_t past_declarator(DeclaredVariable& variable, std::size_t at) const;

  const TokenRoles& roles_;
  const std::vector<Token>& tokens_;
  std::vector<DeclaredVariable> variables_;
  std::map<std::string_view, std::vector<std::size_t>> by_name_;
};

}  // namespace cudalabs::patch
