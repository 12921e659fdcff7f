// Lays out records and data as run/harness/runner_protocol.h says.
#include "run/exchange.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "run/append_record.h"
#include "run/harness/runner_protocol.h"
#include "run/memory_file.h"

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

std::size_t bytes_of(const auto& array) {
  return static_cast<std::size_t>(array.elements()) * datasets::size_in_bytes(array.type);
}

/// Where everything lies, in bytes from the beginning of the file of inputs and of that of outputs.
struct Layout {
  explicit Layout(const datasets::Case& test) {
    if (test.inputs.size() > kMostArrays || test.expected.size() > kMostArrays) {
      throw std::runtime_error("the case `" + test.spec.name + "` has more arrays than the harness takes");
    }
    head = beginning(test.spec.parameters, test.inputs.size(), test.expected.size());
    inputs_end = aligned(head.size() + (test.inputs.size() + test.expected.size()) * sizeof(harness::ArrayRecord));
    for (const Array& input : test.inputs) {
      append_record(head, record_of(input.name, input.type, input.elements(), inputs_end, input.shape));
      inputs.push_back(inputs_end);
      inputs_end = aligned(inputs_end + bytes_of(input));
    }
    for (const datasets::ExpectedArray& expected : test.expected) {
      append_record(head, record_of(expected.name, expected.type, expected.elements(), outputs_end, expected.shape));
      outputs.push_back(outputs_end);
      outputs_end = aligned(outputs_end + bytes_of(expected));
    }
  }

  std::vector<std::byte> head;  // of the file of inputs: everything but the values
  std::vector<std::size_t> inputs, outputs;
  std::size_t inputs_end = 0, outputs_end = 0;
};

}  // namespace

CaseInputs::CaseInputs(const datasets::Case& test) {
  const Layout layout(test);
  // Written piece by piece: arrays may have 100 MB, and to touch a page a second time costs as much as to fill it.
  MemoryFile file("inputs");
  file.write(layout.head);
  for (std::size_t i = 0; i < test.inputs.size(); ++i) {
    file.fill(layout.inputs[i] - file.size(), std::byte{0});
    file.write(test.inputs[i].data);
  }
  file_ = file.sealed(MemoryFile::Seals::all);
}

CaseInputs::CaseInputs(const datasets::Case& shapes, const Fill& fill) {
  const Layout layout(shapes);
  MemoryFile file("inputs");
  file.map(layout.inputs_end, [&](std::span<std::byte> bytes) {
    std::ranges::copy(layout.head, bytes.begin());
    for (std::size_t i = 0; i < shapes.inputs.size(); ++i)
      fill(i, bytes.subspan(layout.inputs[i], bytes_of(shapes.inputs[i])));
  });
  file_ = file.sealed(MemoryFile::Seals::all);
}

Exchange::Exchange(const datasets::Case& test) : Exchange(test, std::make_shared<const CaseInputs>(test)) {}

Exchange::Exchange(const datasets::Case& test, std::shared_ptr<const CaseInputs> inputs, Outputs use)
    : inputs_(std::move(inputs)), use_(use) {
  const Layout layout(test);
  MemoryFile file("outputs");
  if (!wants_outputs()) {
    file.skip(layout.outputs_end);
    outputs_ = file.sealed(MemoryFile::Seals::size);
    return;
  }
  for (std::size_t i = 0; i < test.expected.size(); ++i) {
    const datasets::ExpectedArray& expected = test.expected[i];
    shapes_.push_back({expected.name, expected.type, expected.shape, {}});
    places_.push_back({layout.outputs[i], bytes_of(expected)});
    file.fill(places_[i].offset - file.size(), std::byte{kPoison});
    file.fill(places_[i].bytes, std::byte{datasets::fill_of(expected.demand)});
  }
  file.fill(layout.outputs_end - file.size(), std::byte{kPoison});
  outputs_ = file.sealed(MemoryFile::Seals::size);
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
