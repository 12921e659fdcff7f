// The commonest mistakes first: a parameter's type, a `static`, a namespace, a `main`.
#include "build/contract.h"

#include <algorithm>
#include <cctype>

#include "build/side_errors.h"
#include "build/unsupported.h"
#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs::builder {
namespace {

Finding failed(std::string message, SourcePlace where) {
  Finding finding;
  finding.id = "build-failed";
  finding.message = std::move(message);
  finding.where = std::move(where);
  return finding;
}

std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char letter : text) {
    const bool space = std::isspace(static_cast<unsigned char>(letter)) != 0;
    if (!space) {
      line += letter;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

bool is_of(const Contract& contract, std::string_view name) {
  return std::ranges::find(contract.functions, name) != contract.functions.end();
}

/// What stands behind the name: "(float const*, int)".
std::string_view parameters_of(std::string_view symbol) {
  const std::size_t open = symbol.find('(');
  return open == std::string_view::npos ? std::string_view() : symbol.substr(open);
}

/// The only function of the host that the contract does not name and that takes what the missing one does. A kernel has
/// a function of its name on the host, too.
const Symbol* under_other_name(const std::string& missing, const Contract& contract,
                               const std::vector<Symbol>& defined) {
  const Symbol* only = nullptr;
  const auto is_kernel = [&](const Symbol& symbol) {
    return std::ranges::any_of(defined, [&](const Symbol& stub) {
      return stub.name.find("__device_stub__") != std::string::npos &&
             stub.name.find(base_name(symbol.name)) != std::string::npos;
    });
  };
  for (const Symbol& symbol : defined) {
    if (parameters_of(missing).empty() || parameters_of(symbol.name) != parameters_of(missing)) continue;
    if (!symbol.where.known() || is_of(contract, base_name(symbol.name)) || is_kernel(symbol)) continue;
    if (only != nullptr) return nullptr;
    only = &symbol;
  }
  return only;
}

/// The name in the only definition of that function, which debug information does not tell: it has the line of the
/// first statement, or of the brace.
SourcePlace place_of_name(const Symbol& symbol, const Contract& contract, std::string_view source) {
  SourcePlace where = symbol.where;
  if (!where.file.ends_with(contract.source)) return where;
  const auto found = only_function(source, base_name(symbol.name));
  if (!found || found->line > where.line) return where;
  where.line = found->line;
  where.column = found->column;
  return where;
}

Finding explain_missing(const std::string& function, const Contract& contract, const LinkProblem& problem,
                        const std::vector<Symbol>& defined, const LinkReport& report) {
  const std::string declaration = declaration_of(report.header, function);
  const std::string expected = declaration.empty() ? problem.symbol : declaration;
  const auto found = std::find_if(defined.begin(), defined.end(),
                                  [&](const Symbol& symbol) { return base_name(symbol.name) == function; });
  Finding finding;
  if (found == defined.end()) {
    finding = failed("`" + function + "` is not defined", {});
    finding.note = "`" + contract.header + "` declares `" + expected + "`";
    finding.help =
        "the grader calls this function: write it in `" + contract.source + "`, with exactly these parameters";
    if (const Symbol* other = under_other_name(problem.symbol, contract, defined)) {
      finding.where = place_of_name(*other, contract, report.source);
      finding.help = "`" + std::string(base_name(other->name)) + "` has these parameters: call it `" + function +
                     "`, if it is meant";
    }
    return finding;
  }
  const SourcePlace where = place_of_name(*found, contract, report.source);
  const bool same_signature = found->name == problem.symbol;
  if (found->local && same_signature) {
    finding = failed("`" + function + "` is `static`, so that the grader cannot call it", where);
    finding.help = "remove `static`";
  } else if (found->name.ends_with("::" + problem.symbol)) {
    finding = failed("`" + function + "` is inside a namespace, so that the grader cannot call it", where);
    finding.help = "define it outside of every namespace";
  } else if (found->name == function) {
    finding =
        failed("`" + function + "` is declared `extern \"C\"`, which `" + contract.header + "` does not do", where);
    finding.help = "remove `extern \"C\"`";
  } else {
    finding = failed("`" + function + "` has other parameters than `" + contract.header + "` declares", where);
    finding.help =
        "include `" + contract.header + "` and give the definition the declaration's parameters, `const` included";
  }
  finding.note = "declared is `" + expected + "`, defined is `" + found->name + "`";
  return finding;
}

}  // namespace

std::string declaration_of(std::string_view header, std::string_view function) {
  const std::string text = without_comments(header);
  for (std::size_t at = text.find(function); at != std::string::npos; at = text.find(function, at + 1)) {
    const std::size_t after = at + function.size();
    if ((at > 0 && is_word_letter(text[at - 1])) || after >= text.size() || is_word_letter(text[after])) continue;
    const std::size_t open = text.find_first_not_of(" \t\n", after);
    if (open == std::string::npos || text[open] != '(') continue;
    const std::size_t end = text.find(';', open);
    if (end == std::string::npos) continue;
    // Back to the end of what stands before: a declaration, a brace, a preprocessor line.
    std::size_t start = text.find_last_of(";{}", at);
    start = start == std::string::npos ? 0 : start + 1;
    for (std::size_t hash = text.find('#', start); hash < at; hash = text.find('#', start))
      start = text.find('\n', hash) + 1;
    return on_one_line(std::string_view(text).substr(start, end + 1 - start));
  }
  return "";
}

std::vector<Finding> explain_link(const Contract& contract, const LinkReport& report) {
  const std::vector<Symbol> defined = symbols(report.symbols);
  std::vector<Finding> findings;
  for (const LinkProblem& problem : link_problems(report.link_log)) {
    const std::string name(base_name(problem.symbol));
    const bool of_contract = is_of(contract, name);
    const SourcePlace& where = problem.where;
    if (problem.kind == LinkProblem::Kind::multiple) {
      Finding finding = failed("`" + problem.symbol + "` is defined by the submission and by the grader", where);
      finding.help = problem.symbol == "main" ? "remove `main`: the grader brings its own and calls your function"
                                              : "give yours another name, or make it `static`";
      findings.push_back(std::move(finding));
    } else if (of_contract) {
      findings.push_back(explain_missing(name, contract, problem, defined, report));
    } else {
      if (is_name_of_cuda(name) || name.starts_with("__cuda")) {
        findings.push_back(unsupported_function(name, where));
        continue;
      }
      // How nvcc names them in code of the host, where it takes them without a word.
      constexpr std::string_view kBuiltin = "__device_builtin_variable_";
      if (name.starts_with(kBuiltin)) {
        Finding finding = failed("`" + name.substr(kBuiltin.size()) + "` is used in code of the host", where);
        finding.help = std::string(kThreadsAreOfDevice);
        findings.push_back(std::move(finding));
        continue;
      }
      Finding finding = failed("`" + problem.symbol + "` is used but not defined", where);
      finding.help = "define it in `" + contract.source + "`, the only file that is compiled";
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

bool misses_function(const Contract& contract, std::string_view link_log) {
  return std::ranges::any_of(link_problems(link_log), [&](const LinkProblem& problem) {
    return problem.kind == LinkProblem::Kind::undefined && is_of(contract, base_name(problem.symbol));
  });
}

}  // namespace cudalabs::builder
