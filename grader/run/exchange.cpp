// Lays out records and data as run/harness/runner_protocol.h says.
#include "run/exchange.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <stdexcept>
#include <system_error>

#include "run/append_record.h"
#include "run/harness/runner_protocol.h"

namespace cudalabs::runner {
namespace {

using datasets::Array;
using datasets::ElementType;

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kMostArrays = 32;  // of each kind; as many as the harness has room for

std::size_t aligned(std::size_t offset, std::size_t alignment = kAlignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

void set_name(char (&to)[harness::kNameBytes], const std::string& name) {
  if (name.empty() || name.size() >= harness::kNameBytes || name.find('\0') != std::string::npos) {
    throw std::runtime_error("`" + name + "` cannot be the name of a parameter or an array");
  }
  std::memcpy(to, name.c_str(), name.size() + 1);
}

// The harness has its own list of element types, for it cannot include this project's C++20 headers.
std::uint32_t code_of(ElementType type) {
  switch (type) {
    case ElementType::f32:
      return 0;
    case ElementType::f64:
      return 1;
    case ElementType::i32:
      return 2;
    case ElementType::u8:
      return 3;
  }
  throw std::runtime_error("an element type the harness does not know");
}

harness::ArrayRecord record_of(const std::string& name, ElementType type, std::int64_t elements, std::size_t offset,
                               std::span<const std::int64_t> shape = {}) {
  harness::ArrayRecord record;
  set_name(record.name, name);
  record.type = code_of(type);
  record.element_bytes = static_cast<std::uint32_t>(datasets::size_in_bytes(type));
  record.elements = static_cast<std::uint64_t>(elements);
  record.offset = offset;
  if (elements > 0 && shape.size() <= harness::kMostExtents) std::ranges::copy(shape, record.extents);
  return record;
}

/// The header and the parameters.
std::vector<std::byte> beginning(const std::map<std::string, std::int64_t>& parameters, std::size_t inputs,
                                 std::size_t outputs) {
  harness::FileHeader header;
  header.parameters = static_cast<std::uint32_t>(parameters.size());
  header.inputs = static_cast<std::uint32_t>(inputs);
  header.outputs = static_cast<std::uint32_t>(outputs);
  std::vector<std::byte> file;
  append_record(file, header);
  for (const auto& [name, value] : parameters) {
    harness::ParameterRecord record;
    set_name(record.name, name);
    record.value = value;
    append_record(file, record);
  }
  return file;
}

}  // namespace

Exchange::Exchange(const datasets::Case& test) {
  if (test.inputs.size() > kMostArrays || test.expected.size() > kMostArrays) {
    throw std::runtime_error("the case `" + test.spec.name + "` has more arrays than the harness takes");
  }
  std::vector<std::byte> file = beginning(test.spec.parameters, test.inputs.size(), test.expected.size());
  std::size_t at = aligned(file.size() + (test.inputs.size() + test.expected.size()) * sizeof(harness::ArrayRecord));
  for (const Array& input : test.inputs) {
    append_record(file, record_of(input.name, input.type, input.elements(), at, input.shape));
    at = aligned(at + input.data.size());
  }
  std::size_t output_bytes = 0;
  for (const datasets::ExpectedArray& expected : test.expected) {
    const harness::ArrayRecord record =
        record_of(expected.name, expected.type, expected.elements(), output_bytes, expected.shape);
    append_record(file, record);
    places_.push_back({output_bytes, record.elements * record.element_bytes});
    shapes_.push_back({expected.name, expected.type, expected.shape, {}});
    output_bytes = aligned(output_bytes + places_.back().bytes);
  }
  file.reserve(at);
  for (const Array& input : test.inputs) {
    file.resize(aligned(file.size()));
    file.insert(file.end(), input.data.begin(), input.data.end());
  }

  inputs_ = sandbox::make_memory_file("inputs", file, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
  std::vector<std::byte> poison(output_bytes, std::byte{kPoison});
  for (std::size_t i = 0; i < places_.size(); ++i) {
    std::fill_n(poison.begin() + static_cast<std::ptrdiff_t>(places_[i].offset), places_[i].bytes,
                std::byte{datasets::fill_of(test.expected[i].demand)});
  }
  outputs_ = sandbox::make_memory_file("outputs", poison, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
}

std::vector<Array> Exchange::copy_outputs() const {
  std::vector<Array> outputs = shapes_;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].data.resize(places_[i].bytes);
    std::span<std::byte> left = outputs[i].data;
    std::size_t at = places_[i].offset;
    while (!left.empty()) {
      const ssize_t count = pread(outputs_.get(), left.data(), left.size(), static_cast<off_t>(at));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) throw std::system_error(errno, std::generic_category(), "cannot copy the outputs");
      left = left.subspan(static_cast<std::size_t>(count));
      at += static_cast<std::size_t>(count);
    }
  }
  return outputs;
}

std::vector<std::byte> head_of_pools(const datasets::TimedWork& work,
                                     const std::map<std::string, std::int64_t>& parameters, std::size_t alignment,
                                     std::vector<std::size_t>& places) {
  const std::vector<datasets::PoolShape> pools = work.pools();
  const std::vector<datasets::OutputShape> outputs = work.outputs();
  if (pools.size() > kMostArrays || outputs.size() > kMostArrays) {
    throw std::runtime_error("what is timed has more arrays than the harness takes");
  }
  std::vector<std::byte> file = beginning(parameters, pools.size(), outputs.size());
  std::size_t at = aligned(file.size() + (pools.size() + outputs.size()) * sizeof(harness::ArrayRecord), alignment);
  for (const datasets::PoolShape& pool : pools) {
    harness::ArrayRecord record = record_of(pool.name, pool.type, pool.window, at);
    record.pool_bytes = static_cast<std::uint64_t>(pool.pool) * record.element_bytes;
    append_record(file, record);
    places.push_back(at);
    at = aligned(at + record.pool_bytes, alignment);
  }
  for (const datasets::OutputShape& output : outputs)
    append_record(file, record_of(output.name, output.type, output.elements, 0));
  return file;
}

}  // namespace cudalabs::runner
