// Kernels and device functions: header, tuning directives, body.
#include "vgpu/ptx/function.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <utility>

#include "vgpu/ptx/constant.h"
#include "vgpu/ptx/special_registers.h"
#include "vgpu/ptx/variable.h"

namespace cudalabs::vgpu::ptx {
namespace {

constexpr std::uint64_t kLargest32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kMostFiles = 65536;

class FunctionParser {
 public:
  FunctionParser(ModuleContext& context, bool is_entry)
      : context_(context),
        lexer_(context.lexer),
        scope_(function_, context.names),
        instructions_(context.lexer, function_, scope_, context.names, context.symbol_uses) {
    function_.is_entry = is_entry;
    context.places.begin_function();
  }

  Function parse() {
    header();
    if (lexer_.accept(';')) {
      function_.is_declaration = true;
      return std::move(function_);
    }
    if (!lexer_.peek().is('{')) lexer_.fail_expected("the function's body");
    declare_parameters(function_.results);
    declare_parameters(function_.parameters);
    lexer_.expect('{');
    body();
    scope_.resolve_labels();
    return std::move(function_);
  }

 private:
  void header() {
    function_.ptx_line = lexer_.line();
    if (lexer_.accept_directive("attribute")) skip_parenthesised();
    if (!function_.is_entry && lexer_.peek().is('(')) function_.results = parse_parameters(lexer_);
    function_.name = lexer_.expect_word("a function's name");
    if (is_reserved_name(function_.name)) lexer_.fail(in_backticks(function_.name) + " is a name of the language");
    context_.names.insert(function_.name);
    if (lexer_.peek().is('(')) function_.parameters = parse_parameters(lexer_);
    while (lexer_.peek().kind == TokenKind::dot_word) tuning_directive();
  }

  void skip_parenthesised() {
    int depth = 0;
    do {
      const Token token = lexer_.take();
      if (token.kind == TokenKind::end) throw ParseError(token.line, "`(` without `)`");
      depth += token.is('(') ? 1 : 0;
      depth -= token.is(')') ? 1 : 0;
    } while (depth > 0);
  }

  void tuning_directive() {
    const Token directive = lexer_.take();
    const std::string_view name = directive.text;
    if (name == "maxntid" || name == "reqntid") {
      const std::array<std::uint32_t, 3> threads = dimensions();
      function_.max_threads = threads[0] * threads[1] * threads[2];
    } else if (name == "reqnctapercluster") {
      function_.required_cluster = dimensions();
    } else if (name == "maxclusterrank") {
      function_.most_cluster_blocks =
          static_cast<std::uint32_t>(parse_unsigned_constant(lexer_, "the value", kLargest32));
    } else if (name == "explicitcluster") {
      function_.explicit_cluster = true;
    } else if (name == "blocksareclusters") {
      function_.blocks_are_clusters = true;
    } else if (name == "minnctapersm" || name == "maxnctapersm" || name == "maxnreg" || name == "abi_preserve" ||
               name == "abi_preserve_control") {
      parse_unsigned_constant(lexer_, "the value", kLargest32);
    } else if (name == "pragma") {
      skip_pragma(lexer_);
      lexer_.expect(';');
    } else if (name != "noreturn") {
      throw ParseError(directive.line, "unexpected " + in_backticks(directive) + " before a function's body");
    }
  }

  // "256", "16, 16" or "8, 8, 4"; their product fits, too.
  std::array<std::uint32_t, 3> dimensions() {
    std::array<std::uint32_t, 3> extents{1, 1, 1};
    std::uint64_t product = 1;
    std::size_t count = 0;
    do {
      if (count == extents.size()) lexer_.fail("more than three dimensions");
      const std::uint64_t extent = parse_unsigned_constant(lexer_, "the number of threads", kLargest32);
      product *= extent;
      if (product > kLargest32) lexer_.fail("the number of threads is out of range");
      extents[count++] = static_cast<std::uint32_t>(extent);
    } while (lexer_.accept(','));
    return extents;
  }

  void declare_parameters(const std::vector<Variable>& parameters) {
    for (const Variable& parameter : parameters) {
      // The parser's names are views; those of parameters live in the function, which stays where it is until the end.
      if (parameter.name == "_") continue;
      if (parameter.space == Space::reg) {
        scope_.declare_register(parameter.name, parameter.type, parameter.vector_size, parameter.ptx_line);
      } else {
        scope_.declare_parameter(parameter.name, parameter.ptx_line);
      }
    }
  }

  void body() {
    while (true) {
      const Token& next = lexer_.peek();
      if (next.is('}')) {
        lexer_.take();
        if (!scope_.leave()) return;
      } else if (next.is('{')) {
        scope_.enter(lexer_.take().line);
      } else if (next.is('@')) {
        const Guard guard = instructions_.parse_guard();
        const Token opcode = lexer_.peek();
        lexer_.expect_word("an instruction");
        instruction(opcode, guard);
      } else if (next.kind == TokenKind::word) {
        label_or_instruction();
      } else if (next.kind == TokenKind::dot_word) {
        directive();
      } else if (!lexer_.accept(';')) {
        lexer_.fail_expected("an instruction");
      }
    }
  }

  void instruction(const Token& opcode, const std::optional<Guard>& guard) {
    instructions_.parse(opcode, guard, location_);
    context_.places.end_row();
  }

  void label_or_instruction() {
    const Token word = lexer_.take();
    if (!lexer_.accept(':')) return instruction(word, std::nullopt);
    if (lexer_.accept_directive("branchtargets")) {
      branch_targets(word);
    } else if (lexer_.accept_directive("calltargets")) {
      call_targets(word);
    } else if (lexer_.accept_directive("callprototype")) {
      call_prototype(word);
    } else {
      std::string name = scope_.declare_label(word.text, LabelKind::code, word.line);
      function_.labels.emplace(std::move(name), static_cast<std::uint32_t>(function_.instructions.size()));
    }
  }

  void branch_targets(const Token& label) {
    const std::string name = scope_.declare_label(label.text, LabelKind::branch_targets, label.line);
    function_.branch_targets.try_emplace(name);
    do {
      const std::uint32_t line = lexer_.line();
      scope_.refer_from_table(lexer_.expect_word("a label"), name, line);
    } while (lexer_.accept(','));
    lexer_.expect(';');
  }

  void call_targets(const Token& label) {
    const std::string name = scope_.declare_label(label.text, LabelKind::call_targets, label.line);
    std::vector<std::string>& targets = function_.call_targets[name];
    do {
      const std::uint32_t line = lexer_.line();
      const std::string_view target = lexer_.expect_word("a function");
      context_.symbol_uses.push_back({target, line});
      targets.emplace_back(target);
    } while (lexer_.accept(','));
    lexer_.expect(';');
  }

  // prototype_0 : .callprototype (.param .b32 _) _ (.param .b64 _);
  void call_prototype(const Token& label) {
    CallPrototype prototype;
    if (lexer_.peek().is('(')) prototype.results = parse_parameters(lexer_);
    lexer_.expect_word("`_`");
    if (lexer_.peek().is('(')) prototype.parameters = parse_parameters(lexer_);
    while (lexer_.peek().kind == TokenKind::dot_word) tuning_directive();
    lexer_.expect(';');
    function_.call_prototypes.emplace(scope_.declare_label(label.text, LabelKind::call_prototype, label.line),
                                      std::move(prototype));
  }

  void directive() {
    const Token word = lexer_.take();
    if (word.text == "loc") {
      location_ = parse_location(context_);
    } else if (word.text == "file") {
      parse_file(context_);
    } else if (word.text == "pragma") {
      skip_pragma(lexer_);
      lexer_.expect(';');
    } else if (word.text == "reg") {
      registers();
    } else if (const auto space = space_from_name(word.text)) {
      variables(*space);
    } else if (word.text == "extern") {
      const Token next = lexer_.take();
      const auto extern_space = next.kind == TokenKind::dot_word ? space_from_name(next.text) : std::nullopt;
      if (!extern_space) throw ParseError(next.line, "unexpected " + in_backticks(next) + " after `.extern`");
      variables(*extern_space, true);
    } else {
      throw ParseError(word.line, "unexpected " + in_backticks(word) + " in a function");
    }
  }

  void registers() {
    const DeclarationHead head = parse_declaration_head(lexer_, Space::reg);
    do {
      const std::uint32_t line = lexer_.line();
      const std::string_view name = lexer_.expect_word("a register");
      if (lexer_.accept('<')) {
        if (lexer_.peek().kind != TokenKind::integer) lexer_.fail_expected("a number of registers");
        scope_.declare_range(name, lexer_.take().integer, head.type, head.vector_size, line);
        lexer_.expect('>');
      } else {
        scope_.declare_register(name, head.type, head.vector_size, line);
      }
    } while (lexer_.accept(','));
    lexer_.expect(';');
  }

  void variables(Space space, bool is_extern = false) {
    DeclarationHead head = parse_declaration_head(lexer_, space);
    head.is_extern = is_extern;
    do {
      const Token name = lexer_.peek();
      Variable variable = parse_variable(lexer_, head, context_.initial_budget);
      variable.name = scope_.declare_variable(name.text, name.line);
      for (Variable::Relocation& relocation : variable.relocations) relocate(relocation, name.line);
      function_.variables.push_back(std::move(variable));
    } while (lexer_.accept(','));
    lexer_.expect(';');
  }

  void relocate(Variable::Relocation& relocation, std::uint32_t line) {
    if (auto own = scope_.find_variable(relocation.symbol)) {
      relocation.symbol = std::move(*own);
    } else if (!context_.names.contains(relocation.symbol)) {
      throw ParseError(line, in_backticks(relocation.symbol) + " is not declared");
    }
  }

  ModuleContext& context_;
  Lexer& lexer_;
  Function function_;
  FunctionScope scope_;
  InstructionParser instructions_;
  Location location_;
};

}  // namespace

Function parse_function(ModuleContext& context, bool is_entry) {
  return FunctionParser(context, is_entry).parse();
}

// .file 1 "a.cu"   .file 1 "a.cu", 1700000000, 512   .file 1 "/folder" "a.cu"
void parse_file(ModuleContext& context) {
  Lexer& lexer = context.lexer;
  const std::uint64_t index = parse_unsigned_constant(lexer, "the file's number", kMostFiles - 1);
  std::string name = unescaped(lexer.expect_string("a file's name"));
  if (lexer.peek().kind == TokenKind::string) {
    const std::string file = unescaped(lexer.take().text);
    name = file.starts_with('/') ? file : name + '/' + file;
  }
  if (lexer.accept(',')) {  // time stamp and size
    parse_constant(lexer);
    lexer.expect(',');
    parse_constant(lexer);
  }
  if (context.files.size() <= index) context.files.resize(index + 1);
  context.files[index] = std::move(name);
}

// .loc 1 23 5   .loc 1 23 5, function_name $L__info_string0+4, inlined_at 1 40 3
Location parse_location(ModuleContext& context) {
  Lexer& lexer = context.lexer;
  const std::uint32_t line = lexer.line();
  const auto number = [&](const char* what, std::uint64_t limit) {
    if (lexer.peek().kind != TokenKind::integer) lexer.fail_expected(what);
    const std::uint64_t value = lexer.take().integer;
    if (value > limit) throw ParseError(line, std::string(what) + " is out of range");
    return static_cast<std::uint32_t>(value);
  };
  const auto place = [&] {
    Location result;
    result.file = number("the file's number", kMostFiles - 1);
    result.line = number("the line", kLargest32);
    result.column = number("the column", kLargest32);
    if (result.file > context.highest_file) {
      context.highest_file = result.file;
      context.highest_file_line = line;
    }
    return result;
  };
  const Location location = place();
  PlaceTable::Inlined inlined;
  bool is_inlined = false;
  while (lexer.accept(',')) {
    const Token attribute = lexer.take();
    if (attribute.is_word("function_name")) {
      inlined.function = lexer.expect_word("a label");
      inlined.offset = static_cast<std::uint64_t>(parse_offset(lexer));
    } else if (attribute.is_word("inlined_at")) {
      inlined.call = place();
      is_inlined = true;
    } else {
      throw ParseError(attribute.line, "unexpected " + in_backticks(attribute) + " in .loc");
    }
  }
  return {context.places.add(location, is_inlined ? std::optional(inlined) : std::nullopt)};
}

void skip_pragma(Lexer& lexer) {
  do {
    lexer.expect_string("a pragma in quotes");
  } while (lexer.accept(','));
}

}  // namespace cudalabs::vgpu::ptx
