// Each step of the PTX ISA's description on numbers that are wide enough for all.
#include "video.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace cudalabs::reference {
namespace {

__extension__ using Number = __int128;

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words{""};
  for (const char letter : text) {
    if (letter == '.') {
      words.emplace_back();
    } else {
      words.back() += letter;
    }
  }
  return words;
}

Number number_of_bits(Number bits, unsigned width, bool has_sign) {
  const Number all = Number{1} << width, low = bits & (all - 1);
  return has_sign && low >= all / 2 ? low - all : low;
}

Number clamped_to(Number value, unsigned width, bool has_sign) {
  const Number all = Number{1} << width;
  const Number least = has_sign ? -all / 2 : 0;
  return std::clamp(value, least, least + all - 1);
}

bool compare(const std::string& how, Number a, Number b) {
  if (how == "eq") return a == b;
  if (how == "ne") return a != b;
  if (how == "lt") return a < b;
  if (how == "le") return a <= b;
  if (how == "gt") return a > b;
  return a >= b;
}

class Video {
 public:
  Video(const VideoInstruction& instruction, std::uint32_t a, std::uint32_t b, std::uint32_t c)
      : instruction_(instruction), bits_{a, b}, c_(c), words_(words_of(instruction.text)) {
    opcode_ = words_[0];
    if (opcode_.back() == '2' || opcode_.back() == '4') {
      parts_ = static_cast<unsigned>(opcode_.back() - '0');
      opcode_.pop_back();
    }
    std::vector<bool> signs;
    for (const std::string& word : words_) {
      if (word == "u32" || word == "s32") signs.push_back(word == "s32");
    }
    // What vset compares decides how its third operand is taken.
    signed_d_ = signs[0];
    signed_a_ = signs[signs.size() - 2];
    signed_b_ = signs.back();
  }

  std::uint32_t result() const {
    if (opcode_ == "vmad") return multiplied();
    return parts_ == 0 ? of_one() : of_several();
  }

 private:
  bool has(const std::string& word) const { return std::ranges::find(words_, word) != words_.end(); }

  static Number part(std::uint32_t bits, const std::string& selector, bool has_sign) {
    if (selector.empty()) return number_of_bits(bits, 32, has_sign);
    const unsigned width = selector[1] == 'b' ? 8 : 16;
    return number_of_bits(bits >> (width * static_cast<unsigned>(selector[2] - '0')), width, has_sign);
  }

  Number combined(Number a, Number b) const {
    if (opcode_ == "vadd") return a + b;
    if (opcode_ == "vsub") return a - b;
    if (opcode_ == "vabsdiff") return a < b ? b - a : a - b;
    if (opcode_ == "vmin") return std::min(a, b);
    if (opcode_ == "vmax") return std::max(a, b);
    if (opcode_ == "vavrg") return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
    if (opcode_ == "vset") return compare(words_[3], a, b) ? 1 : 0;
    const Number by = has("wrap") ? b % 32 : std::min<Number>(b, 32);
    if (opcode_ == "vshl") return a * (Number{1} << static_cast<unsigned>(by));
    if (opcode_ == "vshr") return a >> static_cast<unsigned>(by);
    throw std::invalid_argument("no video instruction: " + opcode_);
  }

  std::uint32_t of_one() const {
    Number value = combined(part(bits_[0], instruction_.a, signed_a_), part(bits_[1], instruction_.b, signed_b_));
    const std::string& to = instruction_.d;
    const unsigned width = to.empty() ? 32 : to[1] == 'b' ? 8 : 16;
    if (has("sat")) value = clamped_to(number_of_bits(value, 34, true), width, signed_d_);
    if (!to.empty()) {
      const unsigned at = width * static_cast<unsigned>(to[2] - '0');
      const Number ones = ((Number{1} << width) - 1) << at;
      return static_cast<std::uint32_t>((Number{c_} & ~ones) | ((value << at) & ones));
    }
    if (has("add")) return static_cast<std::uint32_t>(value + c_);
    if (has("min") || has("max")) {
      if (signed_d_ && (opcode_ == "vadd" || opcode_ == "vsub")) value = number_of_bits(value, 32, true);
      if (!signed_d_ && value < 0) value += Number{1} << 64;
      const Number other = number_of_bits(c_, 32, signed_d_);
      value = has("min") ? std::min(value, other) : std::max(value, other);
    }
    return static_cast<std::uint32_t>(value);
  }

  std::uint32_t multiplied() const {
    const bool negates = instruction_.negates_a != instruction_.negates_b;
    const bool has_sign = signed_a_ || signed_b_ || negates || instruction_.negates_c;
    const Number product = part(bits_[0], instruction_.a, signed_a_) * part(bits_[1], instruction_.b, signed_b_);
    const Number addend = number_of_bits(c_, 32, has_sign);
    Number sum = (negates ? -product : product) + (instruction_.negates_c ? -addend : addend) + (has("po") ? 1 : 0);
    sum >>= has("shr7") ? 7 : has("shr15") ? 15 : 0;
    return static_cast<std::uint32_t>(has("sat") ? clamped_to(sum, 32, has_sign) : sum);
  }

  std::uint32_t of_several() const {
    const unsigned width = 32 / parts_;
    const std::uint64_t both = std::uint64_t{bits_[1]} << 32 | bits_[0];
    const auto chosen = [&](const std::string& selector, unsigned index, unsigned usual, bool has_sign) {
      const unsigned from =
          selector.empty() ? usual + index : static_cast<unsigned>(selector[1 + parts_ - index] - '0');
      return number_of_bits(both >> (width * from), width, has_sign);
    };
    Number result = c_;
    for (unsigned i = 0; i < parts_; ++i) {
      const bool written =
          instruction_.d.empty() || instruction_.d.find(static_cast<char>('0' + i)) != std::string::npos;
      if (!written) continue;
      Number value = combined(chosen(instruction_.a, i, 0, signed_a_), chosen(instruction_.b, i, parts_, signed_b_));
      if (has("add")) {
        result += value;
        continue;
      }
      if (has("sat")) value = clamped_to(value, width, signed_d_);
      const Number ones = ((Number{1} << width) - 1) << (width * i);
      result = (result & ~ones) | ((value << (width * i)) & ones);
    }
    return static_cast<std::uint32_t>(result);
  }

  const VideoInstruction& instruction_;
  const std::uint32_t bits_[2];
  const std::uint32_t c_;
  const std::vector<std::string> words_;
  std::string opcode_;
  unsigned parts_ = 0;  // 0: one value
  bool signed_d_ = false, signed_a_ = false, signed_b_ = false;
};

const std::string kSigns[] = {".u32", ".s32"};
const std::string kCompares[] = {".eq", ".ne", ".lt", ".le", ".gt", ".ge"};

/// Goes through a list again and again, so that all its elements meet all kinds of instructions.
class Taking {
 public:
  explicit Taking(std::vector<std::string> all) : all_(std::move(all)) {}
  const std::string& next() {
    at_ = (at_ + 1) % all_.size();
    return all_[at_];
  }

 private:
  std::vector<std::string> all_;
  std::size_t at_ = 0;
};

class ScalarList {
 public:
  std::vector<VideoInstruction> build() {
    for (const std::string& d : kSigns) {
      for (const std::string& a : kSigns) {
        for (const std::string& b : kSigns) {
          for (const std::string sat : {"", ".sat"}) {
            for (const std::string name : {"vadd", "vsub", "vabsdiff", "vmin", "vmax"}) {
              with_seconds(std::string(name).append(d).append(a).append(b).append(sat));
            }
            multiplications(std::string("vmad").append(d).append(a).append(b), sat);
            if (b != ".u32") continue;
            for (const std::string name : {"vshl", "vshr"}) {
              for (const std::string mode : {".clamp", ".wrap"}) {
                with_seconds(std::string(name).append(d).append(a).append(b).append(sat).append(mode));
              }
            }
          }
          if (d == ".s32") continue;
          for (const std::string& compare : kCompares) with_seconds(std::string("vset").append(a).append(b) + compare);
        }
      }
    }
    return std::move(all_);
  }

 private:
  void with_seconds(const std::string& text) {
    all_.push_back({.text = text, .a = first_.next(), .b = second_.next(), .has_c = false});
    for (const std::string second : {".add", ".min", ".max"}) {
      all_.push_back({.text = text + second, .a = first_.next(), .b = second_.next()});
    }
    for (const std::string part : {".b0", ".b1", ".b2", ".b3", ".h0", ".h1"}) {
      all_.push_back({.text = text, .d = part, .a = first_.next(), .b = second_.next()});
    }
  }

  void multiplications(const std::string& text, const std::string& sat) {
    for (const std::string scale : {"", ".shr7", ".shr15"}) {
      for (const std::string negated : {"", "a", "b", "c", "ab", "po"}) {
        const bool adds_one = negated == "po";
        const auto negates = [&](char letter) { return !adds_one && negated.find(letter) != std::string::npos; };
        all_.push_back({.text = std::string(text).append(adds_one ? ".po" : "").append(sat).append(scale),
                        .a = first_.next(),
                        .b = second_.next(),
                        .negates_a = negates('a'),
                        .negates_b = negates('b'),
                        .negates_c = negates('c')});
      }
    }
  }

  std::vector<VideoInstruction> all_;
  // Their numbers have no common factor: all pairs come.
  Taking first_{{"", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"}};
  Taking second_{{".h1", "", ".b3", ".b0", "", ".h0", ".b1", ".b2", ".h1", "", ".h0"}};
};

class PackedList {
 public:
  explicit PackedList(unsigned parts)
      : parts_(parts),
        first_(parts == 2 ? std::vector<std::string>{"", ".h10", ".h32", ".h03", ".h11"}
                          : std::vector<std::string>{"", ".b3210", ".b7654", ".b0527", ".b4444"}),
        second_(parts == 2 ? std::vector<std::string>{"", ".h32", ".h01", ".h21", ".h30", "", ".h12"}
                           : std::vector<std::string>{"", ".b7654", ".b0123", ".b6310", ".b1775", "", ".b2460"}) {}

  void add_to(std::vector<VideoInstruction>& all) {
    const std::string number = std::to_string(parts_);
    for (const std::string& a : kSigns) {
      for (const std::string& b : kSigns) {
        for (const std::string& d : kSigns) {
          for (const std::string name : {"vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"}) {
            for (const std::string suffix : {"", ".sat", ".add"}) {
              with_masks(all, std::string(name).append(number).append(d).append(a).append(b).append(suffix));
            }
          }
        }
        for (const std::string& compare : kCompares) {
          for (const std::string suffix : {"", ".add"}) {
            with_masks(all, std::string("vset").append(number).append(a).append(b).append(compare).append(suffix));
          }
        }
      }
    }
  }

 private:
  void with_masks(std::vector<VideoInstruction>& all, const std::string& text) {
    all.push_back({.text = text});
    for (unsigned mask = 1; mask < 1u << parts_; ++mask) {
      std::string selector = parts_ == 2 ? ".h" : ".b";
      for (unsigned part = parts_; part-- > 0;) {
        if ((mask >> part & 1) != 0) selector += static_cast<char>('0' + part);
      }
      all.push_back({.text = text, .d = selector, .a = first_.next(), .b = second_.next()});
    }
  }

  unsigned parts_;
  Taking first_, second_;
};

}  // namespace

std::string VideoInstruction::spelled(const std::string& to, const std::string& first, const std::string& second,
                                      const std::string& third) const {
  std::string line =
      text + " " + to + d + ", " + (negates_a ? "-" : "") + first + a + ", " + (negates_b ? "-" : "") + second + b;
  if (has_c) line += std::string(", ") + (negates_c ? "-" : "") + third;
  return line;
}

std::uint32_t video_result(const VideoInstruction& instruction, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return Video(instruction, a, b, c).result();
}

std::vector<VideoInstruction> scalar_video_instructions() {
  return ScalarList().build();
}

std::vector<VideoInstruction> packed_video_instructions() {
  std::vector<VideoInstruction> all;
  for (const unsigned parts : {2u, 4u}) PackedList(parts).add_to(all);
  return all;
}

}  // namespace cudalabs::reference
