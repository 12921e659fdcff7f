#include "patch/operators/start_patches.h"

#include <map>
#include <string>
#include <string_view>

#include "patch/declared_variables.h"
#include "patch/expression_segments.h"
#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"

namespace cudalabs::patch {
namespace {

constexpr std::size_t kMostStarts = 3, kLongestIndex = 24;

/// "blockIdx.x*BLOCK+t" and "t+BLOCK*blockIdx.x", of the thread `t`.
bool is_of_grid(std::string_view value, std::string_view thread) {
  const std::string last = "+" + std::string(thread), first = std::string(thread) + "+";
  const bool multiplies =
      value.find("blockIdx.x*") != std::string_view::npos || value.find("*blockIdx.x") != std::string_view::npos;
  return multiplies && (value.ends_with(last) || value.starts_with(first));
}

class Starts : PatchOperator {
 public:
  Starts(const PatchedSource& source, std::vector<Patch>& patches) : PatchOperator(source, patches) {
    for (const DeclaredVariable& variable : variables_.all()) {
      const bool is_index = variable.is_integer() && variable.body != kNoToken && variable.has_value() &&
                            variable.value.last - variable.value.first <= kLongestIndex;
      if (!is_index) continue;
      const std::string value = compact_text(variable.value, tokens_);
      if (value == "threadIdx.x") threads_.try_emplace(variable.body, variable.name);
      const auto thread = threads_.find(variable.body);
      const bool is_grid =
          is_of_grid(value, "threadIdx.x") || (thread != threads_.end() && is_of_grid(value, thread->second));
      if (is_grid) in_grid_.try_emplace(variable.body, &variable);
    }
  }

  void add() {
    for (std::size_t at = 0; at + 2 < tokens_.size() && found_ < kMostStarts; ++at) {
      if (tokens_[at].is("for") && tokens_[at + 1].is("(") && roles_.in_body(at)) read_loop(at + 2);
    }
  }

 private:
  void read_loop(std::size_t at) {
    const std::size_t body = roles_.body_of(at);
    const auto grid = in_grid_.find(body);
    const auto thread = threads_.find(body);
    if (grid == in_grid_.end()) return;
    bool is_value = false;
    for (const std::size_t end = at + kLongestIndex; at < end && at + 2 < tokens_.size(); ++at) {
      if (tokens_[at].is(";")) return;
      is_value = is_value || tokens_[at].is("=");
      if (!is_value) continue;
      const bool is_builtin = tokens_[at].is("threadIdx") && roles_.is(at + 1, ".") && roles_.is(at + 2, "x");
      const bool is_thread = thread != threads_.end() && tokens_[at].is(thread->second);
      const std::size_t last = is_builtin ? at + 2 : at;
      const bool is_summand = (roles_.is(at - 1, "=") || roles_.is(at - 1, "+")) &&
                              (roles_.is(last + 1, ";") || roles_.is(last + 1, "+") || roles_.is(last + 1, ","));
      const std::string_view name = grid->second->name;
      if ((!is_builtin && !is_thread) || !is_summand || variables_.meant_of(name, at) != grid->second) continue;
      const std::size_t begin = tokens_[at].begin, behind = tokens_[last].end();
      const std::string before(source_.code.substr(begin, behind - begin));
      propose(PatchKind::name, begin, behind, std::string(name), in_place_of(name, before));
      ++found_;
      return;
    }
  }

  std::map<std::size_t, std::string_view> threads_;         // of each body: "t"
  std::map<std::size_t, const DeclaredVariable*> in_grid_;  // of each body: "first"
  std::size_t found_ = 0;
};

}  // namespace

void add_starts(const PatchedSource& source, std::vector<Patch>& patches) {
  Starts(source, patches).add();
}

}  // namespace cudalabs::patch
