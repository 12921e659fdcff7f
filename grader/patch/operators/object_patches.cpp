#include "patch/operators/object_patches.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "patch/declared_variables.h"
#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"

namespace cudalabs::patch {
namespace {

constexpr std::size_t kMostObjects = 4;  // of one type in a function

class Objects : PatchOperator {
 public:
  Objects(const PatchedSource& source, std::vector<Patch>& patches) : PatchOperator(source, patches) {
    for (const DeclaredVariable& variable : variables_.all()) {
      if (variable.body != kNoToken) alike_[{variable.body, variable.type}].push_back(&variable);
    }
  }

  void add() {
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      if (tokens_[at].is(";") || tokens_[at].is("{") || tokens_[at].is("}")) {
        add_of_statement();
      } else if (is_use(at)) {
        uses_.push_back(at);
        named_.insert({tokens_[at].text, tokens_[at + 2].text});
      }
    }
  }

 private:
  /// The object's name in "A.cols" and "part->size".
  bool is_use(std::size_t at) const {
    const bool has_member = roles_.is(at + 1, ".") || roles_.is(at + 1, "->");
    if (!has_member || !roles_.has_kind(at + 2, TokenKind::name) || !roles_.in_body(at)) return false;
    return at > 0 && roles_.is_value_name(at) && !roles_.is(at - 1, ".") && !roles_.is(at - 1, "->") &&
           !roles_.is(at - 1, "::");
  }

  void add_of_statement() {
    for (const std::size_t at : uses_) {
      const DeclaredVariable* variable = variables_.meant_at(at);
      if (variable == nullptr || variable->body == kNoToken) continue;
      const auto found = alike_.find({variable->body, variable->type});
      if (found == alike_.end() || found->second.size() > kMostObjects) continue;
      for (const DeclaredVariable* other : found->second) {
        const bool is_named = named_.contains({other->name, tokens_[at + 2].text});
        if (!is_named && variables_.meant_of(other->name, at) == other) replace(at, *other);
      }
    }
    uses_.clear();
    named_.clear();
  }

  void replace(std::size_t at, const DeclaredVariable& other) {
    const std::size_t begin = tokens_[at].begin;
    const std::string member = std::string(tokens_[at + 1].text) + std::string(tokens_[at + 2].text);
    const std::string name(other.name);
    propose(PatchKind::name, begin, tokens_[at].end(), name,
            in_place_of(name + member, std::string(tokens_[at].text) + member));
  }

  std::map<std::pair<std::size_t, std::string>, std::vector<const DeclaredVariable*>> alike_;
  std::vector<std::size_t> uses_;                                  // in the statement, by the object's token
  std::set<std::pair<std::string_view, std::string_view>> named_;  // objects and members in the statement
};

}  // namespace

void add_objects(const PatchedSource& source, std::vector<Patch>& patches) {
  Objects(source, patches).add();
}

}  // namespace cudalabs::patch
