#include "patch/call_roles.h"

#include <algorithm>
#include <array>
#include <utility>

#include "patch/declarations.h"
#include "patch/patched_source.h"
#include "patch/program_classes.h"

namespace cudalabs::patch {
namespace {

/// Nothing else can see when they are called.
bool is_quiet_call(std::string_view name) {
  constexpr std::array<std::string_view, 18> kQuiet{"printf",
                                                    "fprintf",
                                                    "puts",
                                                    "min",
                                                    "max",
                                                    "ceil",
                                                    "dim3",
                                                    "size_t",
                                                    "int",
                                                    "float",
                                                    "double",
                                                    "unsigned",
                                                    "move",
                                                    "swap",
                                                    "assert",
                                                    "perror",
                                                    "cudaGetErrorString",
                                                    "cudaGetErrorName"};
  return std::find(kQuiet.begin(), kQuiet.end(), name) != kQuiet.end();
}

bool is_creation_call(std::string_view name) {
  return name.starts_with("cudaMalloc") || name.starts_with("cudaEventCreate") || name.starts_with("cudaHostAlloc") ||
         name.starts_with("cudaStreamCreate");
}

std::uint32_t role_of_library(std::string_view name) {
  if (is_release(name)) return kReleases;
  if (name == "cudaMemcpy" || name == "cudaMemcpy2D") return kCopiesWaiting;
  if (name.starts_with("cudaMemcpy") || name.starts_with("cudaMemset")) return kCopies;
  if (name.starts_with("cudaEventRecord")) return kRecords;
  if (name == "cudaStreamWaitEvent") return kWaitsInStream;
  if (name.starts_with("cuda") && name.ends_with("Synchronize")) return kWaits;
  if (name == "cudaGetLastError" || name == "cudaPeekAtLastError") return kAsks;
  if (name == "cudaEventElapsedTime") return kTells;
  if (name == "now") return kReadsClock;
  return 0;
}

}  // namespace

CallRoles::CallRoles(const PatchedSource& source) : source_(source), classes_(classes_with_destructor(source)) {
  for (const Function& function : source.statements.functions) {
    if (function.name != kNone) own_functions_[source.tokens[function.name].text] |= of_body(function);
  }
}

std::uint32_t CallRoles::of_body(const Function& function) const {
  std::uint32_t roles = 0;
  for (std::size_t at = function.open; at < function.close; ++at) {
    const Token& token = source_.tokens[at];
    if (token.kind == TokenKind::name) roles |= role_of_library(token.text);
    if (token.is("<<<")) roles |= kLaunches;
  }
  return roles;
}

std::uint32_t CallRoles::of_name(std::string_view name, const Statement& statement) const {
  const std::uint32_t known = role_of_library(name);
  if (known != 0) return known;
  const auto own = own_functions_.find(name);
  if (own != own_functions_.end() && own->second != 0) return own->second;
  const Function& function = source_.statements.functions[statement.function];
  const bool is_parameter =
      function.parameters != kNone &&
      uses(source_.tokens, {function.parameters, source_.tokens[function.parameters].partner}, name);
  return is_parameter ? std::uint32_t{kLaunches} : 0;
}

std::set<std::string_view> CallRoles::names_in(const Statement& statement) const {
  const std::vector<Token>& tokens = source_.tokens;
  std::set<std::string_view> declared, names, known;
  if (statement.kind == StatementKind::declaration) {
    for (const Variable& variable : variables_of_declaration(tokens, statement.first, statement.last + 1)) {
      declared.insert(tokens[variable.name].text);
    }
    if (classes_.contains(tokens[statement.first].text)) names.insert(tokens[statement.first].text);
  }
  for (const std::string_view name : called_in(tokens, {statement.first, statement.last})) {
    if (is_creation_call(name)) return {};
    if (is_quiet_call(name) || declared.contains(name)) continue;
    names.insert(name);
  }
  for (const std::string_view name : names) {
    if (of_name(name, statement) != 0) known.insert(name);
  }
  for (std::size_t at = statement.first + 1; at < statement.last; ++at) {
    if (tokens[at].is("<<<")) known.insert(tokens[at - 1].text);
  }
  return known.empty() ? names : known;
}

std::uint32_t CallRoles::of(const Statement& statement) const {
  std::uint32_t roles = 0;
  for (const std::string_view name : names_in(statement)) roles |= of_name(name, statement);
  for (std::size_t at = statement.first; at < statement.last; ++at) {
    if (source_.tokens[at].is("<<<")) roles |= kLaunches;
  }
  return roles;
}

bool CallRoles::may_be_exchanged(std::uint32_t first, std::uint32_t second) {
  constexpr std::uint32_t kAnyCopy = kCopies | kCopiesWaiting;
  /// What stands first, and what may have to stand before it.
  constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 10> kWrong{{
      {kReleases, kLaunches | kAnyCopy | kRecords | kWaits | kAsks | kTells},
      {kAsks, kLaunches | kWaits},
      {kReadsClock, kWaits | kLaunches},
      {kCopiesWaiting, kWaits | kAsks | kLaunches},
      {kCopies, kAsks | kLaunches | kWaitsInStream},
      {kLaunches, kAnyCopy | kWaitsInStream | kRecords | kReadsClock},
      {kRecords, kLaunches | kAnyCopy},
      {kWaitsInStream, kRecords},
      {kWaits, kLaunches | kRecords},
      {kTells, kWaits | kRecords},
  }};
  return std::any_of(kWrong.begin(), kWrong.end(), [first, second](const auto& wrong) {
    return (wrong.first & first) != 0 && (wrong.second & second) != 0;
  });
}

}  // namespace cudalabs::patch
