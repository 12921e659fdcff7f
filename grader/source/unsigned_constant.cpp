// A minus sign is looked at, and what stands around it; a name's type is that of its last declaration before that.
#include "source/unsigned_constant.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// A text may be made to be long to read: how many constants and names are looked at, and how far.
constexpr std::size_t kMostConstants = 64, kMostInBranch = 4, kLongestBranch = 200, kLongestFunction = 20'000;

constexpr std::array<std::string_view, 4> kOf64Bits{"uint64_t", "size_t", "uintmax_t", "uint_fast64_t"};
constexpr std::array<std::string_view, 2> kOf32Bits{"uint32_t", "uint"};

template <std::size_t Count>
bool is_one_of(std::string_view word, const std::array<std::string_view, Count>& words) {
  return std::ranges::find(words, word) != words.end();
}

/// The unsigned types of one width.
class UnsignedTypes {
 public:
  UnsignedTypes(std::string_view code, int bits) : bits_(bits) {
    for_each_name(code, [&](std::size_t at, std::string_view name) {
      const std::size_t sign = past_spaces(code, at + name.size());
      if (word_before(code, at) != "using" || sign >= code.size() || code[sign] != '=') return;
      const std::string_view behind = code.substr(sign + 1, kLongestBranch);
      const std::string_view type = behind.substr(0, behind.find(';'));
      if (ends_with_type(type, type.size())) aliases_.insert(name);
    });
  }

  /// The words before `end` name such a type: "std::uint64_t", "unsigned long long".
  bool ends_with_type(std::string_view text, std::size_t end) const {
    bool is_unsigned = false, is_long = false, is_other = false;
    std::string_view word = word_before(text, end);
    while (word == "const" || word == "constexpr" || word == "static" || word == "inline")
      word = word_before(text, end = static_cast<std::size_t>(word.data() - text.data()));
    if (is_one_of(word, kOf64Bits)) return bits_ == 64;
    if (is_one_of(word, kOf32Bits)) return bits_ == 32;
    if (aliases_.contains(word)) return true;
    for (constexpr std::array<std::string_view, 5> kWords{"unsigned", "long", "int", "short", "char"};
         is_one_of(word, kWords);) {
      is_unsigned = is_unsigned || word == "unsigned";
      is_long = is_long || word == "long";
      is_other = is_other || word == "short" || word == "char";
      word = word_before(text, static_cast<std::size_t>(word.data() - text.data()));
    }
    return is_unsigned && !is_other && bits_ == (is_long ? 64 : 32);
  }

 private:
  int bits_;
  std::set<std::string_view> aliases_;
};

/// Words that stand before a name, and are no type of it.
constexpr std::array<std::string_view, 8> kNoTypes{"return", "else", "case", "throw", "new", "delete", "goto", "do"};

class Reader {
 public:
  Reader(std::string_view code, int bits) : code_(code), types_(code, bits), functions_(function_bodies(code)) {}

  /// What becomes of the constant whose sign is at `sign` and which ends at `end`.
  std::optional<UnsignedConstant> read(std::size_t sign, std::size_t end) const {
    const std::size_t before = before_spaces(code_, sign), behind = past_spaces(code_, end);
    const FunctionBody* const function = around(sign);
    if (before == kNowhere || behind >= code_.size() || function == nullptr) return std::nullopt;
    const std::string constant(code_.substr(sign, end - sign));
    const auto found = [&](UnsignedConstant::How how, std::string_view name) {
      return UnsignedConstant{how, constant, std::string(name), line_at(code_, sign)};
    };
    const std::string_view other = other_branch(before, behind);
    if (!other.empty())
      return are_unsigned(other, *function, sign) ? std::optional(found(UnsignedConstant::How::joined, other))
                                                  : std::nullopt;
    if (code_[behind] != ';') return std::nullopt;
    if (word_before(code_, sign) == "return")
      return returns_unsigned(*function, sign) ? std::optional(found(UnsignedConstant::How::returned, function->name))
                                               : std::nullopt;
    const std::string_view stored = code_[before] == '=' ? word_before(code_, before) : std::string_view();
    if (stored.empty() || !is_unsigned(stored, *function, sign)) return std::nullopt;
    return found(UnsignedConstant::How::stored, stored);
  }

 private:
  const FunctionBody* around(std::size_t place) const {
    const auto found = std::ranges::find_if(
        functions_, [&](const FunctionBody& function) { return function.begin < place && place < function.end; });
    return found == functions_.end() ? nullptr : &*found;
  }

  /// "ns" of "ok ? ns : -1" and "ok ? -1 : ns"; empty: the constant is in no `?:`, or the other side is more than names
  /// that are added and the like.
  std::string_view other_branch(std::size_t before, std::size_t behind) const {
    std::string_view branch;
    if (code_[before] == ':' && before > 0 && code_[before - 1] != ':') {
      const std::size_t begin = before - std::min(before, kLongestBranch);
      const std::string_view text = code_.substr(begin, before - begin);
      const std::size_t question = text.find_last_of("?;{}:");
      if (question != kNowhere && text[question] == '?') branch = text.substr(question + 1);
    } else if (code_[before] == '?' && code_[behind] == ':') {
      const std::string_view text = code_.substr(behind + 1, kLongestBranch);
      branch = text.substr(0, text.find_first_of(";),:?"));
    }
    branch = without_outer_spaces(branch);
    const bool computes = std::ranges::all_of(branch, [](char letter) {
      return is_word_letter(letter) || std::string_view(" +-*/").find(letter) != kNowhere;
    });
    return computes ? branch : std::string_view();
  }

  /// Where the function's name stands before its parameters.
  std::size_t head_of(const FunctionBody& function) const {
    std::size_t at = code_.rfind(function.name, function.begin);
    const auto is_part = [&](std::size_t place) {
      return (place > 0 && is_word_letter(code_[place - 1])) ||
             end_of_word(code_, place) != place + function.name.size();
    };
    while (at != kNowhere && at > 0 && is_part(at)) at = code_.rfind(function.name, at - 1);
    return at == kNowhere ? function.begin : at;
  }

  /// All names of the text, of which there are some.
  bool are_unsigned(std::string_view text, const FunctionBody& function, std::size_t place) const {
    std::size_t names = 0, of_type = 0;
    for_each_name(text, [&](std::size_t, std::string_view name) {
      if (++names <= kMostInBranch && is_unsigned(name, function, place)) ++of_type;
    });
    return names > 0 && names == of_type;
  }

  /// By the last declaration of the name from the function's parameters up to the place.
  bool is_unsigned(std::string_view name, const FunctionBody& function, std::size_t place) const {
    const std::size_t begin = head_of(function);
    if (place - begin > kLongestFunction) return false;
    const std::string_view text = code_.substr(begin, place - begin);
    bool found = false;
    for_each_name(text, [&](std::size_t at, std::string_view word) {
      if (word != name) return;
      const std::size_t last = before_spaces(text, at);
      const bool by_reference = last != kNowhere && text[last] == '&' && (last == 0 || text[last - 1] != '&');
      const std::string_view type = word_before(text, by_reference ? last : at);
      if (!type.empty() && !is_one_of(type, kNoTypes)) found = types_.ends_with_type(text, by_reference ? last : at);
      if (last != kNowhere && text[last] == '*') found = false;
    });
    return found;
  }

  /// A lambda before the place may be what returns.
  bool returns_unsigned(const FunctionBody& function, std::size_t place) const {
    const std::string_view before = code_.substr(function.begin, place - function.begin);
    for (const std::string_view lambda : {"](", "] (", "]{", "] {"})
      if (before.find(lambda) != kNowhere) return false;
    return types_.ends_with_type(code_, head_of(function));
  }

  std::string_view code_;
  UnsignedTypes types_;
  std::vector<FunctionBody> functions_;
};

/// Past the digits of a whole number at `at`, and what says that it is signed; `at`: it is none, or unsigned.
std::size_t past_number(std::string_view code, std::size_t at) {
  const std::size_t end = end_of_word(code, at);
  const std::string_view word = code.substr(at, end - at);
  const bool whole = !word.empty() && is_digit(word[0]) && word.find_first_not_of("0123456789lL'") == kNowhere &&
                     word.find_first_of("123456789") != kNowhere && (end >= code.size() || code[end] != '.');
  return whole ? end : at;
}

}  // namespace

std::optional<UnsignedConstant> only_unsigned_constant(std::string_view code, int bits) {
  const Reader reader(code, bits);
  std::optional<UnsignedConstant> found;
  std::size_t looked_at = 0;
  for (std::size_t sign = code.find('-'); sign != kNowhere; sign = code.find('-', sign + 1)) {
    const std::size_t end = past_number(code, sign + 1), before = before_spaces(code, sign);
    const bool is_sign =
        end > sign + 1 && before != kNowhere &&
        (std::string_view("?:=").find(code[before]) != kNowhere || word_before(code, sign) == "return");
    if (!is_sign) continue;
    if (++looked_at > kMostConstants) return std::nullopt;
    auto constant = reader.read(sign, end);
    if (constant && found) return std::nullopt;
    if (constant) found = std::move(constant);
  }
  return found;
}

}  // namespace cudalabs
