// What a variable is made of, as far as its elements have names in the source: arrays, records, and what is neither.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cudalabs::vgpu::ptx {

struct DataType {
  enum class Kind : std::uint8_t { scalar, array, record };
  struct Member {
    std::string name;  // empty: its own members are named as if they were the record's
    std::uint64_t offset = 0;
    std::shared_ptr<const DataType> type;
  };
  Kind kind = Kind::scalar;
  std::uint64_t bytes = 0;                  // of an array with an unknown extent: 0
  std::vector<std::uint64_t> extents = {};  // of an array, outermost first; 0: unknown, and only of the outermost
  std::shared_ptr<const DataType> element = nullptr;  // of an array: with all subscripts, and itself no array
  std::vector<Member> members = {};                   // of a record, by offset
  bool assumed = false;  // nothing says it: elements are taken to be as wide as the variable's alignment
};

/// An array of scalars of `element_bytes` bytes each.
DataType array_of_scalars(std::uint64_t element_bytes, std::vector<std::uint64_t> extents);

/// What an access of `bytes` bytes at byte `offset` of a variable touches first.
struct Element {
  std::string path;         // behind the variable's name: "[2][17]", ".tile[1][2]"; empty: the variable itself
  std::uint64_t into = 0;   // the access begins so many bytes behind the element's first
  std::uint64_t bytes = 0;  // of the element
};

/// The smallest part that has a name in the source, or a record that is accessed as a whole. Behind the end of an array
/// the outermost subscript goes on counting.
Element element_at(const DataType& type, std::uint64_t offset, std::uint64_t bytes);

}  // namespace cudalabs::vgpu::ptx
