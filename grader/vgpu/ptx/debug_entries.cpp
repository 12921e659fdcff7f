// Debug information: abbreviations say which attributes an entry has and in which form, entries hold the values.
#include "vgpu/ptx/debug_entries.h"

#include <algorithm>
#include <utility>

#include "vgpu/ptx/debug_section.h"

namespace cudalabs::vgpu::ptx {
namespace {

// DW_AT_…, DW_FORM_… and DW_OP_… with these meanings.
enum Attribute : std::uint64_t {
  kLocation = 0x02,
  kName = 0x03,
  kByteSize = 0x0b,
  kLowPc = 0x11,
  kHighPc = 0x12,
  kUpperBound = 0x2f,
  kCount = 0x37,
  kMemberLocation = 0x38,
  kType = 0x49,
  kCallColumn = 0x57,
  kCallFile = 0x58,
  kCallLine = 0x59
};
enum Form : std::uint64_t {
  kAddress = 0x01,
  kBlock2 = 0x03,
  kBlock4 = 0x04,
  kData2 = 0x05,
  kData4 = 0x06,
  kData8 = 0x07,
  kString = 0x08,
  kBlock = 0x09,
  kBlock1 = 0x0a,
  kData1 = 0x0b,
  kFlag = 0x0c,
  kSigned = 0x0d,
  kStringPlace = 0x0e,
  kUnsigned = 0x0f,
  kRefAddress = 0x10,
  kRef1 = 0x11,
  kRef2 = 0x12,
  kRef4 = 0x13,
  kRef8 = 0x14,
  kRefUnsigned = 0x15,
  kSectionOffset = 0x17,
  kExpression = 0x18,
  kFlagPresent = 0x19
};
constexpr std::uint8_t kOpAddress = 0x03, kOpPlus = 0x23;
constexpr std::uint64_t kNoCount = ~std::uint64_t{0};  // the upper bound of an array of unknown extent

struct Abbreviation {
  std::uint64_t tag = 0;
  bool has_children = false;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> attributes;  // attribute and form
};

class Cursor {
 public:
  explicit Cursor(const DebugSection& section) : section_(section) {}

  std::size_t at() const { return at_; }
  void go_to(std::size_t at) { at_ = at; }
  bool at_end() const { return at_ >= section_.bytes.size(); }

  std::uint64_t fixed(std::size_t bytes) {
    require(bytes);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value |= std::uint64_t{section_.bytes[at_ + i]} << (8 * i);
    at_ += bytes;
    return value;
  }

  /// Seven bits a byte, the lowest first; the signed form has the same length.
  std::uint64_t variable_length() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint64_t byte = fixed(1);
      if (shift < 64) value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
  }

  std::string text() {
    const auto begin = section_.bytes.begin() + static_cast<std::ptrdiff_t>(std::min(at_, section_.bytes.size()));
    const auto end = std::find(begin, section_.bytes.end(), std::uint8_t{0});
    if (end == section_.bytes.end()) throw ParseError(0, "debug information: a text without an end");
    at_ = static_cast<std::size_t>(end - section_.bytes.begin()) + 1;
    return {begin, end};
  }

  void skip(std::uint64_t bytes) {
    require(bytes);
    at_ += bytes;
  }

  std::string symbol_at(std::size_t at) const {
    const auto found = section_.symbols.find(at);
    return found == section_.symbols.end() ? std::string() : found->second;
  }

 private:
  void require(std::uint64_t bytes) const {
    if (at_ > section_.bytes.size() || bytes > section_.bytes.size() - at_)
      throw ParseError(0, "debug information: it ends too early");
  }

  const DebugSection& section_;
  std::size_t at_ = 0;
};

std::map<std::uint64_t, Abbreviation> read_abbreviations(const DebugSection& section, std::size_t offset) {
  Cursor cursor(section);
  cursor.go_to(offset);
  std::map<std::uint64_t, Abbreviation> known;
  while (const std::uint64_t code = cursor.variable_length()) {
    Abbreviation& abbreviation = known[code];
    abbreviation.tag = cursor.variable_length();
    abbreviation.has_children = cursor.fixed(1) != 0;
    while (true) {
      const std::uint64_t attribute = cursor.variable_length(), form = cursor.variable_length();
      if (attribute == 0 && form == 0) break;
      abbreviation.attributes.emplace_back(attribute, form);
    }
  }
  return known;
}

/// The entries of a unit.
class EntryReader {
 public:
  EntryReader(const DebugSection& info, DebugSection abbreviations)
      : cursor_(info), abbreviations_(std::move(abbreviations)) {}

  DebugEntries read() {
    const std::uint64_t bytes = cursor_.fixed(4);
    const std::size_t end = cursor_.at() + bytes;
    version_ = cursor_.fixed(2);
    if (version_ < 2 || version_ > 4) throw ParseError(0, "debug information of another version");
    const auto known = read_abbreviations(abbreviations_, cursor_.fixed(4));
    cursor_.skip(1);  // the size of an address: 8 in all PTX that is taken
    std::vector<std::uint64_t> around;
    // nvcc counts a few bytes too many: the section's end is one, too.
    while (cursor_.at() < end && !cursor_.at_end()) {
      const std::uint64_t offset = cursor_.at();
      const std::uint64_t code = cursor_.variable_length();
      if (code == 0) {
        if (!around.empty()) around.pop_back();
        continue;
      }
      const auto found = known.find(code);
      if (found == known.end()) throw ParseError(0, "debug information: an entry of no known kind");
      DebugEntry entry;
      entry.tag = static_cast<DebugTag>(found->second.tag);
      for (const auto& [attribute, form] : found->second.attributes) value(attribute, form, entry);
      if (!around.empty()) entries_[around.back()].children.push_back(offset);
      if (found->second.has_children) around.push_back(offset);
      entries_.emplace(offset, std::move(entry));
    }
    return std::move(entries_);
  }

 private:
  void value(std::uint64_t attribute, std::uint64_t form, DebugEntry& entry) {
    switch (form) {
      case kString: {
        std::string text = cursor_.text();
        if (attribute == kName) entry.name = std::move(text);
        return;
      }
      case kBlock:
      case kExpression:
        return block(attribute, cursor_.variable_length(), entry);
      case kBlock1:
        return block(attribute, cursor_.fixed(1), entry);
      case kBlock2:
        return block(attribute, cursor_.fixed(2), entry);
      case kBlock4:
        return block(attribute, cursor_.fixed(4), entry);
      case kAddress: {
        std::string label = cursor_.symbol_at(cursor_.at());
        cursor_.skip(8);
        if (attribute == kLowPc) entry.begin = std::move(label);
        if (attribute == kHighPc) entry.end = std::move(label);
        return;
      }
      default:
        return number(attribute, number_of(form), entry);
    }
  }

  /// References count from the unit's beginning, which is the section's.
  std::uint64_t number_of(std::uint64_t form) {
    switch (form) {
      case kData1:
      case kFlag:
      case kRef1:
        return cursor_.fixed(1);
      case kData2:
      case kRef2:
        return cursor_.fixed(2);
      case kData4:
      case kRef4:
      case kStringPlace:
      case kSectionOffset:
        return cursor_.fixed(4);
      case kData8:
      case kRef8:
        return cursor_.fixed(8);
      case kSigned:
      case kUnsigned:
      case kRefUnsigned:
        return cursor_.variable_length();
      case kRefAddress:
        return cursor_.fixed(version_ == 2 ? 8 : 4);
      case kFlagPresent:
        return 1;
      default:
        throw ParseError(0, "debug information: a value of unknown form");
    }
  }

  static void number(std::uint64_t attribute, std::uint64_t value, DebugEntry& entry) {
    if (attribute == kType) entry.type = value;
    if (attribute == kByteSize) entry.bytes = value;
    if (attribute == kCount) entry.count = value;
    if (attribute == kUpperBound && value != kNoCount) entry.count = value + 1;
    if (attribute == kMemberLocation) entry.member_offset = value;
    if (attribute == kCallColumn) entry.call.column = static_cast<std::uint32_t>(value);
    if (attribute == kCallFile) entry.call.file = static_cast<std::uint32_t>(value);
    if (attribute == kCallLine) entry.call.line = static_cast<std::uint32_t>(value);
  }

  void block(std::uint64_t attribute, std::uint64_t bytes, DebugEntry& entry) {
    const std::size_t begin = cursor_.at();
    cursor_.skip(bytes);
    if (bytes == 0) return;
    const std::size_t end = cursor_.at();
    cursor_.go_to(begin);
    const std::uint64_t operation = cursor_.fixed(1);
    if (attribute == kLocation && operation == kOpAddress && bytes == 9) entry.symbol = cursor_.symbol_at(begin + 1);
    if (attribute == kMemberLocation && operation == kOpPlus) entry.member_offset = cursor_.variable_length();
    cursor_.go_to(end);
  }

  Cursor cursor_;
  DebugSection abbreviations_;
  std::uint64_t version_ = 0;
  DebugEntries entries_;
};

}  // namespace

DebugEntries debug_entries(std::string_view ptx) {
  try {
    const DebugSection info = debug_section(ptx, "debug_info");
    if (info.bytes.empty()) return {};
    return EntryReader(info, debug_section(ptx, "debug_abbrev")).read();
  } catch (const ParseError&) {
    return {};
  }
}

}  // namespace cudalabs::vgpu::ptx
