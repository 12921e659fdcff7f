// Names are resolved as the compiler does it, by blocks; macros stay unseen.
#include "explain/errors/shadowed_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "explain/errors/unreported_error.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// A declaration of the name, and the places that mean it.
struct Declared {
  std::size_t place = 0;
  std::size_t parent = kNowhere;  // that it hides, by its number
  std::size_t end = kNowhere;     // of its block
  std::vector<std::size_t> uses;
};

/// "cudaError_t err =", "bool ok;", and not "return err;", "a * err". A parameter counts from there on.
bool is_declaration(std::string_view code, std::size_t at, std::string_view name) {
  constexpr std::array<std::string_view, 5> kTypes{"cudaError_t", "cudaError", "bool", "int", "auto"};
  if (std::ranges::find(kTypes, word_before(code, at)) == kTypes.end()) return false;
  const std::size_t behind = past_spaces(code, at + name.size());
  return behind < code.size() && std::string_view("=;{,)").find(code[behind]) != kNowhere;
}

/// All declarations of one name, in the blocks that they are in.
class Scopes {
 public:
  Scopes(std::string_view code, std::string_view name) : code_(code), name_(name) {
    for (std::size_t at = 0; at < code.size();) {
      if (code[at] == '{') open_.push_back(current_);
      if (code[at] == '}') close(at);
      const std::size_t end = is_word_letter(code[at]) ? end_of_word(code, at) : at + 1;
      if (code.substr(at, end - at) == name && !is_member(code, at)) visit(at);
      at = end;
    }
  }

  const std::vector<Declared>& declared() const { return declared_; }

 private:
  void close(std::size_t at) {
    if (open_.empty()) return;
    const std::size_t around = open_.back();
    open_.pop_back();
    for (; current_ != around && current_ != kNowhere; current_ = declared_[current_].parent)
      declared_[current_].end = at;
  }

  void visit(std::size_t at) {
    if (is_declaration(code_, at, name_)) {
      declared_.push_back({at, current_, kNowhere, {}});
      current_ = declared_.size() - 1;
    } else if (current_ != kNowhere) {
      declared_[current_].uses.push_back(at);
    }
  }

  std::string_view code_, name_;
  std::vector<Declared> declared_;
  std::vector<std::size_t> open_;   // what the name meant before each open block
  std::size_t current_ = kNowhere;  // the number of the declaration that the name means
};

/// "cudaGetErrorString(err)": it says what the error is, and asks nothing.
bool is_worded(std::string_view code, std::size_t use) {
  const std::size_t open = before_spaces(code, use);
  const std::string_view called = open == kNowhere || code[open] != '(' ? "" : word_before(code, open);
  return called == "cudaGetErrorString" || called == "cudaGetErrorName";
}

/// Its value is used, for more than the words.
bool is_read(std::string_view code, std::size_t use, std::size_t length) {
  const std::size_t behind = past_spaces(code, use + length);
  const bool set = behind < code.size() && begins_assignment(code.substr(behind));
  return !set && !is_worded(code, use);
}

}  // namespace

std::optional<ShadowedStatus> shadowed_status(std::string_view code, std::size_t call) {
  const std::string_view name = variable_of(code, call);
  if (name.empty()) return std::nullopt;
  const auto place = static_cast<std::size_t>(name.data() - code.data());
  const Scopes scopes(code, name);
  const auto& declared = scopes.declared();
  const auto inner = std::ranges::find(declared, place, &Declared::place);
  if (inner == declared.end() || inner->parent == kNowhere || inner->end == kNowhere) return std::nullopt;
  if (!std::ranges::all_of(inner->uses, [&](std::size_t use) { return is_worded(code, use); })) return std::nullopt;
  const Declared& outer = declared[inner->parent];
  const auto read = std::ranges::find_if(
      outer.uses, [&](std::size_t use) { return use > inner->end && is_read(code, use, name.size()); });
  if (read == outer.uses.end()) return std::nullopt;
  return ShadowedStatus{std::string(name), line_at(code, place), line_at(code, outer.place), line_at(code, *read)};
}

void show_shadowed_statuses(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                            const SubmissionRun& submission_run) {
  const std::string code = findings.empty() ? std::string() : without_comments(source);
  for (MergedFinding& finding : findings) {
    const auto error = unreported_error(finding, code, file, submission_run);
    const auto hidden = error ? shadowed_status(code, error->call) : std::nullopt;
    if (!hidden) continue;
    if (finding.other && finding.other->place.known())
      finding.note.insert(0, fmt::format("{} is in line {}\n", finding.other->label, finding.other->place.line));
    finding.failed_call.clear();
    finding.message = fmt::format("this `{0}` hides the `{0}` of line {1}: the error of the launch is lost here",
                                  hidden->name, hidden->outer);
    finding.where = {finding.where.file, hidden->inner, 0};
    finding.other =
        OtherPlace{fmt::format("this is another `{}`, and the one that line {} reads", hidden->name, hidden->read),
                   {finding.where.file, hidden->outer, 0},
                   {},
                   {}};
    finding.help = fmt::format(
        "leave out the type before `{0}` in line {1}: then the error gets into the `{0}` of "
        "line {2}, which is looked at in line {3}",
        hidden->name, hidden->inner, hidden->outer, hidden->read);
    finding.count = 1;
    finding.proven = true;
  }
}

}  // namespace cudalabs
