// The module level: directives, variables, functions, and the checks that need the whole module.
#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "vgpu/ptx/constant.h"
#include "vgpu/ptx/function.h"
#include "vgpu/ptx/lexer.h"
#include "vgpu/ptx/shared_names.h"
#include "vgpu/ptx/special_registers.h"
#include "vgpu/ptx/variable.h"

namespace cudalabs::vgpu::ptx {
namespace {

class ModuleParser {
 public:
  ModuleParser(std::string_view text, std::uint64_t initial_budget)
      : lexer_(text), context_{lexer_, {}, {}, {}, 0, 0, initial_budget} {}

  std::uint64_t initial_budget() const { return context_.initial_budget; }

  Module parse() {
    while (lexer_.peek().kind != TokenKind::end) statement();
    if (module_.version_major == 0) lexer_.fail("the text has no .version");
    if (module_.target.empty()) lexer_.fail("the text has no .target");
    check_symbols();
    check_files();
    place_instructions();
    return std::move(module_);
  }

 private:
  void statement() {
    if (lexer_.accept(';')) return;
    if (lexer_.peek().kind != TokenKind::dot_word) lexer_.fail_expected("a directive");
    const Token word = lexer_.take();
    if (word.text == "version") {
      version();
    } else if (word.text == "target") {
      target();
    } else if (word.text == "address_size") {
      if (parse_unsigned_constant(lexer_, "the address size", 64) != 64) {
        throw ParseError(word.line, "only 64-bit addresses are supported");
      }
    } else if (word.text == "file") {
      parse_file(context_);
    } else if (word.text == "loc") {
      parse_location(context_);
    } else if (word.text == "section") {
      skip_section();
    } else if (word.text == "pragma") {
      skip_pragma(lexer_);
      lexer_.expect(';');
    } else if (word.text == "alias") {
      alias();
    } else {
      declaration(word);
    }
  }

  void version() {
    const Token number = lexer_.take();
    const std::size_t dot = number.text.find('.');
    if (number.kind != TokenKind::real || dot == 0 || dot > 4 || number.text.size() - dot > 5) {
      throw ParseError(number.line, "expected a version such as 7.0, found " + in_backticks(number));
    }
    const auto decimal = [&](std::string_view digits) {
      std::uint32_t value = 0;
      for (const char digit : digits) {
        if (digit < '0' || digit > '9') throw ParseError(number.line, "malformed version " + in_backticks(number));
        value = value * 10 + static_cast<std::uint32_t>(digit - '0');
      }
      return value;
    };
    module_.version_major = decimal(number.text.substr(0, dot));
    module_.version_minor = decimal(number.text.substr(dot + 1));
  }

  // ".target sm_75, debug": the architecture is the first.
  void target() {
    module_.target = lexer_.expect_word("a target");
    while (lexer_.accept(',')) lexer_.expect_word("a target");
  }

  // Debug information in DWARF; .loc says what is needed of it.
  void skip_section() {
    if (lexer_.peek().kind != TokenKind::dot_word) lexer_.fail_expected("a section's name");
    const Token name = lexer_.take();
    lexer_.expect('{');
    while (!lexer_.accept('}')) {
      if (lexer_.take().kind == TokenKind::end) throw ParseError(name.line, "section without an end");
    }
  }

  void alias() {
    const std::uint32_t line = lexer_.line();
    const std::string_view name = lexer_.expect_word("a function");
    lexer_.expect(',');
    const std::string_view target = lexer_.expect_word("a function");
    lexer_.expect(';');
    for (const std::string_view function : {name, target}) {
      if (!functions_.contains(function))
        throw ParseError(line, in_backticks(function) + " is not a declared function");
    }
    if (!module_.aliases.emplace(name, target).second)
      throw ParseError(line, in_backticks(name) + " is an alias already");
  }

  // [.extern|.visible|.weak|.common] (.entry|.func|state space) ...
  void declaration(Token word) {
    bool is_extern = false;
    Linkage linkage = Linkage::local;
    while (word.is_directive("extern") || word.is_directive("visible") || word.is_directive("weak") ||
           word.is_directive("common")) {
      is_extern = is_extern || word.text == "extern";
      linkage = word.text == "weak" || word.text == "common" ? Linkage::weak : Linkage::visible;
      word = lexer_.take();
    }
    if (word.is_directive("entry") || word.is_directive("func")) return function(word.text == "entry", linkage);
    const auto space = word.kind == TokenKind::dot_word ? space_from_name(word.text) : std::nullopt;
    if (space != Space::global && space != Space::constant && space != Space::shared) {
      throw ParseError(word.line, "unexpected " + in_backticks(word) + " at module scope");
    }
    DeclarationHead head = parse_declaration_head(lexer_, *space);
    head.is_extern = is_extern;
    head.linkage = linkage;
    do {
      add(parse_variable(lexer_, head, context_.initial_budget));
    } while (lexer_.accept(','));
    lexer_.expect(';');
  }

  void add(Variable variable) {
    if (is_reserved_name(variable.name)) {
      throw ParseError(variable.ptx_line, in_backticks(variable.name) + " is a name of the language");
    }
    context_.names.insert(variable.name);
    const auto [at, is_new] = variables_.emplace(variable.name, module_.variables.size());
    if (functions_.contains(variable.name)) {
      throw ParseError(variable.ptx_line, in_backticks(variable.name) + " is a function already");
    }
    if (is_new) {
      module_.variables.push_back(std::move(variable));
      return;
    }
    Variable& earlier = module_.variables[at->second];
    if (!earlier.is_extern && !variable.is_extern) {
      throw ParseError(variable.ptx_line, in_backticks(variable.name) + " is declared twice");
    }
    if (earlier.is_extern) earlier = std::move(variable);
  }

  void function(bool is_entry, Linkage linkage) {
    Function function = parse_function(context_, is_entry);
    function.linkage = linkage;
    const auto [at, is_new] = functions_.emplace(function.name, module_.functions.size());
    if (variables_.contains(function.name)) {
      throw ParseError(function.ptx_line, in_backticks(function.name) + " is a variable already");
    }
    if (is_new) {
      module_.functions.push_back(std::move(function));
      return;
    }
    Function& earlier = module_.functions[at->second];
    if (earlier.is_entry != function.is_entry || (!earlier.is_declaration && !function.is_declaration)) {
      throw ParseError(function.ptx_line, in_backticks(function.name) + " is declared twice");
    }
    if (!earlier.is_declaration) return;
    if (function.linkage == Linkage::local) function.linkage = earlier.linkage;
    earlier = std::move(function);
  }

  void check_symbols() const {
    for (const SymbolUse& use : context_.symbol_uses) {
      if (!context_.names.contains(use.name)) throw ParseError(use.line, in_backticks(use.name) + " is not declared");
    }
    std::optional<std::set<std::string_view>> shared;
    for (const Variable& variable : module_.variables) {
      for (const Variable::Relocation& relocation : variable.relocations) {
        if (context_.names.contains(relocation.symbol)) continue;
        // LLVM lets constants begin with the address of a shared variable, and declares that in its kernel.
        if (!shared) shared = shared_names(module_);
        if (!shared->contains(relocation.symbol)) {
          throw ParseError(variable.ptx_line, in_backticks(relocation.symbol) + " is not declared");
        }
      }
    }
  }

  void check_files() {
    if (context_.highest_file != 0 && context_.highest_file >= context_.files.size()) {
      throw ParseError(context_.highest_file_line, "no .file has the number " + std::to_string(context_.highest_file));
    }
    if (context_.files.empty()) context_.files.emplace_back();
    module_.files = std::move(context_.files);
  }

  void place_instructions() {
    const std::vector<Location> shown = context_.places.shown(module_.files);
    for (Function& function : module_.functions) {
      for (Instruction& instruction : function.instructions) {
        const std::uint32_t number = instruction.location.file;
        instruction.location = shown[number];
        instruction.call = context_.places.places()[number].caller;
      }
    }
    // Nearly every text has many places, and few have calls.
    const auto is_inlined = [](const InlinedCall& place) { return place.caller != 0; };
    if (std::ranges::any_of(context_.places.places(), is_inlined)) module_.calls = context_.places.places();
  }

  Lexer lexer_;
  ModuleContext context_;
  Module module_;
  NameMap<std::size_t> variables_, functions_;  // index by name
};

}  // namespace

Module parse(std::string_view text) {
  std::uint64_t initial_budget = kMostInitialBytes;
  return parse(text, initial_budget);
}

Module parse(std::string_view text, std::uint64_t& initial_budget) {
  ModuleParser parser(text, initial_budget);
  Module module = parser.parse();
  initial_budget = parser.initial_budget();
  return module;
}

}  // namespace cudalabs::vgpu::ptx
