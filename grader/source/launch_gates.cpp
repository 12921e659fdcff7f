// Conditions and loops around a launch, and jumps before it.
#include "source/launch_gates.h"

#include <algorithm>
#include <array>

#include "source/condition_text.h"
#include "source/function_text.h"
#include "source/loop_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

constexpr std::size_t kMostLaunches = 8, kMostGateJumps = 64, kMostStatements = 1000;

struct Jump {
  std::size_t place = 0;
  bool of_loop = false;  // it ends a round or a loop, and not the function
};

/// All that the source has, read once.
struct Statements {
  std::vector<ConditionText> conditions;
  std::vector<LoopText> loops;
  std::vector<Jump> jumps;
  std::vector<std::size_t> switches;
};

bool is_one_of(std::string_view name, const auto& names) {
  return std::ranges::find(names, name) != names.end();
}

Statements statements_of(std::string_view code) {
  constexpr std::array<std::string_view, 7> kExits{"return", "goto", "throw", "exit", "abort", "_exit", "_Exit"};
  constexpr std::array<std::string_view, 2> kOfLoops{"break", "continue"};
  Statements statements{conditions_of(code), loops_of(code), {}, {}};
  for_each_name(code, [&](std::size_t at, std::string_view name) {
    if (is_one_of(name, kExits)) statements.jumps.push_back({at, false});
    if (is_one_of(name, kOfLoops)) statements.jumps.push_back({at, true});
    if (name == "switch") statements.switches.push_back(at);
  });
  return statements;
}

/// "0 < parts" of "i < parts", in `for (int i = 0; ...)`.
std::string at_first(const LoopText& loop) {
  const std::string_view condition = without_outer_spaces(loop.condition);
  const std::size_t sign = loop.first.find('=');
  if (sign == kNowhere) return std::string(condition);
  const std::string_view counter = word_before(loop.first, sign);
  const std::string_view value = without_outer_spaces(loop.first.substr(sign + 1));
  if (counter.empty() || value.empty() || value.find_first_of(",=") != kNowhere) return {};
  std::string replaced;
  std::size_t done = 0;
  for_each_name(condition, [&](std::size_t at, std::string_view name) {
    if (name != counter) return;
    replaced.append(condition.substr(done, at - done)).append("(").append(value).append(")");
    done = at + name.size();
  });
  return replaced.append(condition.substr(done));
}

/// The gate of a jump before the launch; its `asked` is empty where the text does not say when it is made.
LaunchGate gate_of_jump(std::string_view code, std::size_t jump, std::size_t launch, const Statements& statements) {
  LaunchGate gate;
  gate.jump_line = line_at(code, jump);
  for (const ConditionText& condition : statements.conditions) {
    if (!condition.decides_about(jump) || condition.decides_about(launch)) continue;
    gate.asked.push_back(
        {std::string(condition.condition), condition.condition, condition.line, jump < condition.end_of_body});
  }
  return gate;
}

/// The jump stands in the other branch of an `if` that has the launch, too.
bool is_in_other_branch(std::size_t jump, std::size_t launch, const Statements& statements) {
  return std::ranges::any_of(statements.conditions, [&](const ConditionText& condition) {
    return condition.decides_about(jump) && condition.decides_about(launch) &&
           (jump < condition.end_of_body) != (launch < condition.end_of_body);
  });
}

void add_jumps(std::string_view code, const FunctionBody& function, const Statements& statements, LaunchGates& found) {
  std::size_t read = 0;
  for (const Jump& jump : statements.jumps) {
    if (jump.place < function.begin || jump.place >= found.place) continue;
    if (is_in_other_branch(jump.place, found.place, statements)) continue;
    const LoopText* const loop = jump.of_loop ? innermost_loop(statements.loops, jump.place) : nullptr;
    if (jump.of_loop && (loop == nullptr || found.place >= loop->end)) continue;
    const LaunchGate gate = gate_of_jump(code, jump.place, found.place, statements);
    found.clear = found.clear && !gate.asked.empty();
    if (++read > kMostGateJumps) {
      found.clear = false;
      return;
    }
    if (!gate.asked.empty()) found.gates.push_back(gate);
  }
}

void add_statements_around(const Statements& statements, LaunchGates& found) {
  for (const ConditionText& condition : statements.conditions) {
    if (!condition.decides_about(found.place)) continue;
    found.gates.push_back(
        {{{std::string(condition.condition), condition.condition, condition.line, found.place < condition.end_of_body}},
         false,
         0});
  }
  for (const LoopText& loop : statements.loops) {
    if (found.place < loop.body || found.place >= loop.end) continue;
    std::string text = at_first(loop);
    found.clear = found.clear && !text.empty();
    if (!loop.condition.empty())
      found.gates.push_back({{{std::move(text), without_outer_spaces(loop.condition), loop.line, true}}, true, 0});
  }
}

/// A function within the function may have the jumps.
bool has_lambda(std::string_view text) {
  return text.find("[&") != kNowhere || text.find("[=") != kNowhere || text.find("[]") != kNowhere ||
         text.find("[this") != kNowhere;
}

LaunchGates gates_at(std::string_view code, const FunctionBody& function, std::size_t place,
                     const Statements& statements) {
  LaunchGates found{line_at(code, place), {}, place, {}, true};
  const std::string_view body = code.substr(function.begin, function.end - function.begin);
  const bool too_many = statements.conditions.size() + statements.loops.size() > kMostStatements;
  if (too_many || has_lambda(body)) {
    found.clear = false;
    return found;
  }
  found.clear =
      std::ranges::none_of(statements.switches, [&](std::size_t at) { return function.begin < at && at < place; });
  add_jumps(code, function, statements, found);
  add_statements_around(statements, found);
  std::ranges::stable_sort(found.gates, {}, [](const LaunchGate& gate) {
    return gate.jump_line != 0 ? gate.jump_line : gate.asked.front().line;
  });
  return found;
}

/// "k" of "k<float><<<1, 32>>>"
std::string_view launched_kernel(std::string_view code, std::size_t place) {
  const std::size_t last = before_spaces(code, place);
  const bool has_arguments = last != kNowhere && code[last] == '>';
  const std::size_t end = has_arguments ? code.rfind('<', place - 1) : place;
  return end == kNowhere ? std::string_view() : word_before(code, end);
}

}  // namespace

LaunchGates gates_before(std::string_view code, const FunctionBody& function, std::size_t place) {
  return gates_at(code, function, place, statements_of(code));
}

bool has_conditional_parts(std::string_view code) {
  return code.find("#if") != kNowhere || code.find("# if") != kNowhere;
}

std::vector<LaunchGates> launch_gates_of(std::string_view code) {
  std::vector<LaunchGates> launches;
  if (has_conditional_parts(code) || code.find("<<<") == kNowhere) return launches;
  const std::vector<FunctionBody> functions = function_bodies(code);
  const Statements statements = statements_of(code);
  for (std::size_t at = code.find("<<<"); at != kNowhere; at = code.find("<<<", at + 3)) {
    const FunctionBody* const function = function_at(functions, at);
    if (launches.size() == kMostLaunches || function == nullptr) return {};
    launches.push_back(gates_at(code, *function, at, statements));
    launches.back().kernel = launched_kernel(code, at);
  }
  return launches;
}

}  // namespace cudalabs
