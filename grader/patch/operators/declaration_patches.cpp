#include "patch/operators/declaration_patches.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "patch/local_variables.h"
#include "patch/operators/patch_operator.h"
#include "patch/program_classes.h"
#include "patch/statements.h"
#include "patch/uses.h"

namespace cudalabs::patch {
namespace {

class DeclarationChanges : PatchOperator {
 public:
  DeclarationChanges(const PatchedSource& source, std::vector<Patch>& patches)
      : PatchOperator(source, patches), classes_(classes_with_destructor(source)) {}

  void add_all() {
    for (const LocalVariable& variable : local_variables(source_)) {
      if (is_pointer(source_, variable.variable)) continue;
      drop_static(variable);
      change_type(variable);
    }
    for (const Function& function : statements_.functions) {
      if (function.parameters == kNone) continue;
      take_by_reference(function, false);
      take_by_reference(function, true);
    }
    for (const Statement& statement : statements_.all) {
      if (statement.kind == StatementKind::expression) name_object(statement);
    }
  }

 private:
  /// "static const int blocks = n / 256;" of a value that is not always the same, or of an object that gives back what
  /// it has when it ends.
  void drop_static(const LocalVariable& local) {
    const Variable& variable = local.variable;
    for (std::size_t at = variable.type; at < variable.type_end; ++at) {
      const Token& word = tokens_[at];
      if (word.is("constexpr")) return;
      if (!word.is("static") || (!has_changing_value(local) && !has_destructor(variable))) continue;
      propose(PatchKind::declaration, word.begin, tokens_[at + 1].begin, "", "without `static`");
    }
  }

  bool has_destructor(const Variable& variable) const {
    return std::ranges::any_of(classes_, [&](std::string_view name) { return has_type(source_, variable, name); });
  }

  /// It is computed from a parameter or another variable, or it changes.
  bool has_changing_value(const LocalVariable& local) const {
    const Statement& declaration = statements_.all[local.statement];
    const Function& function = statements_.functions[declaration.function];
    if (changes(tokens_, {declaration.last, function.close}, local.name)) return true;
    for (std::size_t at = local.variable.name + 1; at < declaration.last; ++at) {
      if (is_own_name(tokens_, at) && is_variable_of(function, tokens_[at].text)) return true;
    }
    return false;
  }

  bool is_variable_of(const Function& function, std::string_view name) const {
    if (function.parameters == kNone) return false;
    return uses(tokens_, {function.parameters, tokens_[function.parameters].partner}, name) ||
           changes(tokens_, {function.open, function.close}, name);
  }

  /// Only of "int x = ...;" and the like, with one word for the type.
  void change_type(const LocalVariable& local) {
    const Variable& variable = local.variable;
    const Token& word = tokens_[variable.type_end - 1];
    const bool is_whole = variable.type_end - 1 == variable.type || tokens_[variable.type_end - 2].is("const");
    if (!is_whole || variable.type_end != variable.name) return;
    if (word.is("int") || word.is("auto")) {
      if (is_sum_of_elements(local)) {
        replace_type(word, "float");
      } else if (word.is("int") && is_factor_of_index(local)) {
        replace_type(word, "long long");
      } else if (word.is("int") && is_shifted(local)) {
        replace_type(word, "unsigned");
      }
    } else if (word.is("float") && is_sum_of_elements(local)) {
      replace_type(word, "double");
    } else if (word.is("unsigned") && goes_below_zero(local)) {
      replace_type(word, "int");
    }
  }

  void replace_type(const Token& word, std::string_view type) {
    propose(PatchKind::declaration, word.begin, word.end(), std::string(type),
            '`' + std::string(type) + "` in place of `" + std::string(word.text) + '`');
  }

  TokenRange rest_of_function(const LocalVariable& local) const {
    const Statement& declaration = statements_.all[local.statement];
    return {declaration.last, statements_.functions[declaration.function].close};
  }

  /// "int sum = 0; ... sum += a[i] * b[i];": it begins with a number, and elements are added.
  bool is_sum_of_elements(const LocalVariable& local) const {
    const std::size_t name = local.variable.name;
    if (!tokens_[name + 1].is("=") || tokens_[name + 2].kind != TokenKind::number || !tokens_[name + 3].is(";")) {
      return false;
    }
    if (tokens_[name - 1].is("auto") && tokens_[name + 2].text.find('.') != std::string_view::npos) return false;
    const TokenRange rest = rest_of_function(local);
    for (std::size_t at = rest.first; at + 2 < rest.last; ++at) {
      if (!tokens_[at].is(local.name) || !tokens_[at + 1].is("+=")) continue;
      for (std::size_t value = at + 2; value < rest.last && !tokens_[value].is(";"); ++value) {
        if (tokens_[value].is("[")) return true;
      }
    }
    return false;
  }

  /// "a[row * n + k]": a factor of a product in an index.
  bool is_factor_of_index(const LocalVariable& local) const {
    const TokenRange rest = rest_of_function(local);
    std::size_t end_of_index = 0;
    for (std::size_t at = rest.first; at < rest.last; ++at) {
      if (tokens_[at].is("[") && tokens_[at].partner > end_of_index) end_of_index = tokens_[at].partner;
      if (at > end_of_index || !tokens_[at].is(local.name)) continue;
      const bool is_cast = tokens_[at - 1].is(")") || tokens_[at - 1].is("(");
      if (!is_cast && tokens_[at + 1].is("*")) return true;
      if (tokens_[at - 1].is("*") && tokens_[at - 2].kind == TokenKind::name && !has_cast_before(at - 2)) return true;
    }
    return false;
  }

  bool has_cast_before(std::size_t name) const { return tokens_[name - 1].is(")"); }

  /// "w >> 24", which brings copies of the sign with it.
  bool is_shifted(const LocalVariable& local) const {
    const TokenRange rest = rest_of_function(local);
    for (std::size_t at = rest.first; at + 1 < rest.last; ++at) {
      if (tokens_[at].is(local.name) && is_own_name(tokens_, at) && tokens_[at + 1].is(">>")) return true;
    }
    return false;
  }

  /// "--x" or "x -= 1" beside "x >= 0", "x < 0".
  bool goes_below_zero(const LocalVariable& local) const {
    const TokenRange rest = rest_of_function(local);
    for (std::size_t at = rest.first; at + 2 < rest.last; ++at) {
      if (!tokens_[at].is(local.name) || !is_own_name(tokens_, at)) continue;
      const bool is_compared = tokens_[at + 1].is(">=") || tokens_[at + 1].is("<");
      if (is_compared && tokens_[at + 2].is("0")) return true;
    }
    return false;
  }

  /// "void f(Buffer a, Buffer b)": all parameters of the function whose copies would free something.
  void take_by_reference(const Function& function, bool as_const) {
    if (classes_.empty()) return;
    const std::size_t close = tokens_[function.parameters].partner;
    std::string text, words;
    std::size_t begin = 0, copied = 0, taken = 0;
    for (std::size_t at = function.parameters; at < close; ++at) {
      if (at != function.parameters && !tokens_[at].is(",")) continue;
      const std::size_t name = name_of_copy(at + 1, close);
      if (name == kNone || (as_const && tokens_[at + 1].is("const"))) continue;
      const std::size_t type = tokens_[at + 1].begin, type_end = tokens_[name - 1].end();
      if (taken++ == 0) {
        begin = copied = type;
        words = std::string(as_const ? "`const " : "`") + reference_to(at + 1, name) + '`';
      }
      text += source_.code.substr(copied, type - copied);
      if (as_const) text += "const ";
      text += source_.code.substr(type, type_end - type);
      text += '&';
      copied = type_end;
    }
    if (taken == 0) return;
    words += taken > 1 ? " and the other objects by reference" : " by reference";
    propose(PatchKind::declaration, begin, copied, text, words);
  }

  /// "Buffer& a"; the words leave out what the type is a template of.
  std::string reference_to(std::size_t first, std::size_t name) const {
    const Token& type = tokens_[tokens_[first].is("const") ? first + 1 : first];
    return std::string(type.text) + "& " + std::string(tokens_[name].text);
  }

  /// The name of the parameter that begins there, if its class has a destructor, and it is copied.
  std::size_t name_of_copy(std::size_t first, std::size_t close) const {
    std::size_t end = first;
    while (end < close && !tokens_[end].is(",") && !tokens_[end].is("=")) {
      if (tokens_[end].is("<")) {
        while (end < close && !tokens_[end].is(">")) ++end;
      }
      if (end < close && tokens_[end].kind == TokenKind::open) return kNone;
      ++end;
    }
    const std::size_t type = tokens_[first].is("const") ? first + 1 : first;
    if (end < type + 2 || !classes_.contains(tokens_[type].text)) return kNone;
    const Token& before = tokens_[end - 2];
    if (before.is("&") || before.is("*") || before.is("&&") || tokens_[end - 1].kind != TokenKind::name) return kNone;
    return end - 1;
  }

  /// "Guard(x);"
  void name_object(const Statement& statement) {
    const Token& type = tokens_[statement.first];
    const Token& open = tokens_[statement.first + 1];
    if (!classes_.contains(type.text) || (!open.is("(") && !open.is("{"))) return;
    if (open.partner + 1 != statement.last || open.partner == statement.first + 2) return;
    const std::string_view name = "object_of_its_own";
    if (source_.code.find(name) != std::string_view::npos) return;
    propose(PatchKind::declaration, type.end(), type.end(), ' ' + std::string(name),
            "a name for this `" + std::string(type.text) + '`');
  }

  const std::set<std::string_view> classes_;
};

}  // namespace

void add_declarations(const PatchedSource& source, std::vector<Patch>& patches) {
  DeclarationChanges(source, patches).add_all();
}

}  // namespace cudalabs::patch
