// A PTX module as parsed: syntax resolved to registers, symbols and labels; no meaning attached to opcodes yet.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vgpu/ptx/opcode.h"

namespace cudalabs::vgpu::ptx {

/// Fundamental types of the PTX ISA (section "Types").
enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f64
};
std::uint32_t size_in_bytes(Type type);                     // 1 for pred, 0 for none
std::optional<Type> type_from_name(std::string_view name);  // "u32" -> Type::u32
std::string_view name_of(Type type);
bool is_untyped(Type type);  // bits of which nothing says what they are: b8 to b128

enum class Space : std::uint8_t { generic, reg, param, local, shared, global, constant };

/// Who sees the name of a definition where several modules are linked: its own module, or all; of weak definitions of
/// one name the first is for all.
enum class Linkage : std::uint8_t { local, visible, weak };

/// A source place attached by `.loc`; `file` indexes Module::files. Zero line: none.
struct Location {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// Where code was called that was inlined; `caller`: where that stands itself, if it was inlined, into Module::calls.
struct InlinedCall {
  Location at;
  std::uint32_t caller = 0;
};

/// A register: index into Function::registers.
struct RegisterRef {
  std::uint32_t index = 0;
};
/// Two's complement, extended to 64 bits.
struct IntegerImmediate {
  std::uint64_t bits = 0;
};
/// `single` for 0f…; `bits` are those of the literal (of the double for a decimal one).
struct FloatImmediate {
  double value = 0;
  bool single = false;
  std::uint64_t bits = 0;
};
/// A variable or function used as a value: its address plus `offset` bytes.
struct SymbolRef {
  std::string name;
  std::int64_t offset = 0;
};
/// "%tid" with 'x' 'y' 'z', "%laneid" with 0
struct SpecialRegister {
  std::string name;
  char component = 0;
};
struct LabelRef {
  std::string name;
};
struct Discard {};  // "_"
struct Operand;
/// "[base+offset]": base is a register, a symbol (variable or parameter) or absent (absolute address).
struct Address {
  std::variant<std::monostate, RegisterRef, SymbolRef> base;
  std::int64_t offset = 0;
};
/// "{%f1, %f2}"
struct VectorOperand {
  std::vector<Operand> elements;
};
/// "%p|%q": registers; no `second` when it is "_".
struct PredicatePair {
  std::uint32_t first = 0;
  std::optional<std::uint32_t> second;
};
/// "(a, b)" of a call
struct ListOperand {
  std::vector<Operand> elements;
};

/// ".b3", ".h32": bytes or half words of an operand of a video instruction, as their numbers are written.
struct PartSelector {
  bool half_words = false;
  std::uint8_t count = 0;  // 0: there is none
  std::array<std::uint8_t, 4> parts{};
};

struct Operand {
  std::variant<RegisterRef, IntegerImmediate, FloatImmediate, SymbolRef, SpecialRegister, LabelRef, Discard, Address,
               VectorOperand, PredicatePair, ListOperand>
      value;
  bool negated = false;             // "!%p"; "-%r" of vmad
  std::optional<char> component{};  // "%v.x" of a vector register
  PartSelector selector{};
};

/// Guard predicate "@%p" or "@!%p".
struct Guard {
  std::uint32_t predicate = 0;
  bool negated = false;
};

/// One instruction: "ld.global.f32 %f1, [%rd1+4];" is opcode "ld", suffixes {"global","f32"}.
/// Some opcodes have a fixed shape of operands, whatever the text left out:
///  - call: ListOperand results, target (SymbolRef or RegisterRef), ListOperand arguments, and for an indirect call a
///    LabelRef into Function::call_prototypes or call_targets (or the SymbolRef of a variable used as call table).
///  - bra: one LabelRef. brx: index, LabelRef into Function::branch_targets.
///  - tex, suld and the like: "[object, {coordinates}]" becomes an Address followed by its coordinates as an operand.
///  - "d|p" with a discarded first half ("_|%p") names a register of its own that nobody reads.
struct Instruction {
  std::string opcode;             // as it is written, for messages
  Opcode code = Opcode::unknown;  // what it is
  std::vector<std::string> suffixes;
  std::vector<Operand> operands;
  std::optional<Guard> guard;
  Location location;
  std::uint32_t call = 0;      // of what was inlined, into Module::calls; the place of library code is one of its calls
  std::uint32_t ptx_line = 0;  // line in the PTX text, for errors
};

struct Register {
  std::string name;
  Type type = Type::none;
  std::uint32_t vector_size = 1;  // 2 or 4 for ".reg .v2"
};

/// A variable in a state space (or a parameter). The dimensions of an array are multiplied into `size`; an `extern`
/// array without an outermost dimension (dynamic shared memory) has size 0.
struct Variable {
  std::string name;
  Space space = Space::generic;
  Type type = Type::none;
  std::uint32_t vector_size = 1;
  std::uint32_t alignment = 0;  // bytes; natural alignment when the text gives none
  std::uint64_t size = 0;       // bytes; 0 for extern arrays of unknown size
  Linkage linkage = Linkage::local;
  bool is_extern = false;             // only declared: defined in another module, or of a size that the launch gives
  bool is_managed = false;            // .attribute(.managed)
  std::vector<std::uint8_t> initial;  // empty, or exactly `size` bytes
  struct Relocation {
    std::uint64_t offset;
    std::string symbol;
    std::int64_t addend;
    bool generic;
  };
  std::vector<Relocation> relocations;  // addresses of other symbols inside `initial`
  std::uint32_t ptx_line = 0;
};

/// Signature of an indirect call's target (`.callprototype`).
struct CallPrototype {
  std::vector<Variable> results, parameters;
};

/// Ordered, so that hostile names cannot make look-ups quadratic by colliding.
template <class Value>
using NameMap = std::map<std::string, Value, std::less<>>;

/// A name as the text has it: the parser and the linker add "@…" to names that are there twice.
inline constexpr std::string_view kApart = "@module";  // by the linker
inline std::string_view name_in_text(std::string_view unique) {
  return unique.substr(0, unique.find('@'));
}

/// A kernel (`.entry`) or device function (`.func`). A name declared in an inner scope (or shadowing a module-scope
/// name) that is already taken gets a suffix "@<number>", which no PTX name can have; every reference uses the unique
/// name.
struct Function {
  std::string name;
  bool is_entry = false;
  Linkage linkage = Linkage::local;
  bool is_declaration = false;       // prototype without body: of another module, or a builtin such as vprintf
  std::vector<Variable> parameters;  // in order; Space::param (or Space::reg for .func with .reg parameters)
  std::vector<Variable> results;
  std::vector<Register> registers;  // those of a range ".reg .b32 %r<30>" only when the text mentions them
  std::vector<Variable> variables;  // local, shared, param variables declared in the body (scoped names made unique)
  std::vector<Instruction> instructions;
  NameMap<std::uint32_t> labels;                     // name -> instruction index (may equal instructions.size())
  NameMap<std::vector<std::string>> branch_targets;  // .branchtargets tables for brx.idx: names in `labels`
  NameMap<std::vector<std::string>> call_targets;    // .calltargets tables: names of functions
  NameMap<CallPrototype> call_prototypes;            // .callprototype
  std::optional<std::uint32_t> max_threads;          // .maxntid or .reqntid product
  std::optional<std::array<std::uint32_t, 3>> required_cluster;  // .reqnctapercluster
  bool explicit_cluster = false;                                 // .explicitcluster
  bool blocks_are_clusters = false;                              // .blocksareclusters
  std::optional<std::uint32_t> most_cluster_blocks;              // .maxclusterrank
  std::uint32_t ptx_line = 0;
};

struct Module {
  std::uint32_t version_major = 0, version_minor = 0;            // .version
  std::string target;                                            // .target, e.g. "sm_70"
  std::vector<std::string> files;                                // by .file index; [0] unused
  std::vector<InlinedCall> calls = std::vector<InlinedCall>(1);  // each behind its caller; [0] unused
  std::vector<Variable> variables;                               // module scope: global, constant, shared
  std::vector<Function> functions;  // one per name: a definition takes its declaration's place
  NameMap<std::string> aliases;     // .alias: function name -> name of the function it stands for
};

/// Text that is not PTX this parser knows. `what()` is one line, "PTX line 12: …"; `line()` counts from 1.
class ParseError : public std::runtime_error {
 public:
  ParseError(std::uint32_t line, const std::string& message);
  std::uint32_t line() const { return line_; }
  const std::string& message() const { return message_; }  // without the line

 private:
  std::uint32_t line_;
  std::string message_;
};

/// Parses one PTX module. Accepts hostile text: throws ParseError, never crashes, never runs away (time and memory grow
/// with the text, not with the numbers in it; only initialised variables take their own size, 128 MiB in all at most).
/// Guarantees to its callers: every register index is in range, every LabelRef and SymbolRef is declared, every
/// Location::file indexes Module::files. Unknown opcodes are not its business: exec/ refuses those when it gives them
/// meaning.
Module parse(std::string_view text);
/// The same for one of several modules that are linked: `initial_budget` is what initialised variables may still take.
Module parse(std::string_view text, std::uint64_t& initial_budget);
inline constexpr std::uint64_t kMostInitialBytes = std::uint64_t{128} << 20;

}  // namespace cudalabs::vgpu::ptx
