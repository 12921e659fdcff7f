#include "patch/operators/byte_count_patches.h"

#include <map>
#include <string>

#include "patch/declared_variables.h"
#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"

namespace cudalabs::patch {
namespace {

/// The place of the number of bytes among the arguments, from 0.
const std::map<std::string_view, std::size_t>& byte_places() {
  static const std::map<std::string_view, std::size_t> places{
      {"cudaMalloc", 1}, {"cudaMallocAsync", 1}, {"cudaMallocManaged", 1}, {"cudaMallocHost", 1}, {"cudaMemcpy", 2},
      {"cudaMemset", 2}, {"cudaMemcpyAsync", 2}, {"cudaMemsetAsync", 2},   {"cudaMemset2D", 3},   {"cudaMemcpy2D", 4}};
  return places;
}

class ByteCounts : PatchOperator {
 public:
  using PatchOperator::PatchOperator;

  void add() {
    for (std::size_t at = 0; at + 1 < tokens_.size(); ++at) {
      if (!roles_.in_body(at)) continue;
      if (tokens_[at].is("<<<")) {
        const std::vector<TokenRange> items = roles_.items(at);
        if (items.size() > 2) add_size(items[2], "float");
      } else if (const auto found = byte_places().find(tokens_[at].text);
                 found != byte_places().end() && roles_.is(at + 1, "(")) {
        const std::vector<TokenRange> items = roles_.items(at + 1);
        if (items.size() > found->second) add_size(items[found->second], element_of(items[0]));
      } else if (tokens_[at].is("sizeof")) {
        measure_element(at);
      }
    }
  }

 private:
  /// "n * sizeof(a)" of a pointer.
  void measure_element(std::size_t at) {
    const std::size_t name = at + 2;
    const DeclaredVariable* variable =
        roles_.is(at + 1, "(") && roles_.is(name + 1, ")") ? variables_.meant_at(name) : nullptr;
    if (variable == nullptr || !variable->type.ends_with('*')) return;
    const std::string pointer(tokens_[name].text);
    propose(PatchKind::number, tokens_[name].begin, tokens_[name].begin, "*",
            in_place_of("sizeof(*" + pointer + ")", "sizeof(" + pointer + ")"));
  }

  /// Of the array that an argument means; empty: it is not known, or it has bytes.
  std::string element_of(const TokenRange& array) const {
    const std::size_t name = roles_.is(array.first, "&") ? array.first + 1 : array.first;
    const DeclaredVariable* variable = name == array.last ? variables_.meant_at(name) : nullptr;
    if (variable == nullptr || !variable->type.ends_with('*')) return "";
    std::string type = variable->type.substr(0, variable->type.size() - 1);
    if (type.starts_with("const ")) type = type.substr(6);
    const bool is_byte = type.find("char") != std::string::npos || type == "void" || type.ends_with("int8_t") ||
                         type.find('*') != std::string::npos;
    return is_byte ? "" : type;
  }

  bool speaks_of_bytes(const TokenRange& value) const {
    constexpr std::size_t kLongest = 20;
    if (value.last - value.first > kLongest) return true;
    for (std::size_t at = value.first; at <= value.last; ++at) {
      const std::string_view word = tokens_[at].text;
      if (word == "size_t") continue;
      for (const std::string_view part : {"size", "yte", "Size", "SIZE", "BYTE", "pitch", "Pitch", "mem"}) {
        if (word.find(part) != std::string_view::npos) return true;
      }
    }
    return false;
  }

  void add_size(const TokenRange& count, const std::string& element) {
    const bool is_number = count.first == count.last && tokens_[count.first].kind == TokenKind::number;
    if (element.empty() || is_number || speaks_of_bytes(count)) return;
    bool sums = false;
    for (std::size_t at = count.first; at <= count.last; ++at) {
      const DeclaredVariable* variable = variables_.meant_at(at);
      if (variable != nullptr && variable->has_value() && speaks_of_bytes(variable->value)) return;
      sums = sums || (roles_.is_binary(at) && !roles_.is(at, "*"));
    }
    const std::size_t begin = tokens_[count.first].begin, end = tokens_[count.last].end();
    const std::string before = text_of(count);
    const std::string size = "sizeof(" + element + ")";
    std::string now = (sums ? "(" + before + ")" : before) + " * " + size;
    std::string words = before.size() <= kLongestCode / 2 ? in_place_of(now, before) : "`* " + size + "`";
    propose(PatchKind::number, begin, end, std::move(now), std::move(words));
  }
};

}  // namespace

void add_byte_counts(const PatchedSource& source, std::vector<Patch>& patches) {
  ByteCounts(source, patches).add();
}

}  // namespace cudalabs::patch
