// Two outputs of a random program held against each other.
#include "disagreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <sstream>

namespace cudalabs::reference {

std::string disagreement(const Program& program, std::span<const std::byte> left_output, const std::string& left,
                         std::span<const std::byte> right_output, const std::string& right) {
  std::string first;
  std::uint64_t count = 0;
  for (std::uint64_t thread = 0; thread < program.threads(); ++thread) {
    for (const OutputSlot& slot : program.slots) {
      const std::size_t at = thread * program.output_stride + slot.offset;
      std::uint64_t a = 0, b = 0;
      std::memcpy(&a, left_output.data() + at, slot.bytes);
      std::memcpy(&b, right_output.data() + at, slot.bytes);
      if (a == b) continue;
      if (count++ == 0) {
        first = fmt::format("thread {}, register {}: {} has {:#0{}x}, {} has {:#0{}x}", thread, slot.name, left, a,
                            2 * slot.bytes + 2, right, b, 2 * slot.bytes + 2);
      }
    }
  }
  for (std::size_t at = program.threads() * program.output_stride; at < program.output_bytes; ++at) {
    if (left_output[at] == right_output[at]) continue;
    if (count++ == 0) {
      first = fmt::format("byte {} of what all threads add to", at - program.threads() * program.output_stride);
    }
  }
  return count == 0 ? std::string() : fmt::format("{} ({} values differ)", first, count);
}

Program shrink(Program program, const std::function<bool(const Program&)>& differs) {
  std::vector<std::string> lines;
  std::istringstream text(program.ptx);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  const auto without = [&](std::size_t begin, std::size_t count) {
    std::string ptx;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i < begin || i >= begin + count) ptx += lines[i] + '\n';
    }
    return ptx;
  };
  for (std::size_t count = 32; count > 0; count /= 2) {
    for (std::size_t begin = lines.size(); begin-- > 0;) {
      Program candidate = program;
      candidate.ptx = without(begin, count);
      try {
        if (!differs(candidate)) continue;
      } catch (const std::exception&) {
        continue;
      }
      program = std::move(candidate);
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(begin),
                  lines.begin() + static_cast<std::ptrdiff_t>(std::min(begin + count, lines.size())));
    }
  }
  return program;
}

std::vector<std::byte> run_on_reference(const Program& program) {
  const vgpu::ptx::Module module = vgpu::ptx::parse(program.ptx);
  Machine machine(module);
  const std::uint64_t input = machine.allocate(program.input.size());
  const std::uint64_t output = machine.allocate(program.output_bytes);
  std::copy(program.input.begin(), program.input.end(), machine.memory(input, program.input.size()).begin());
  machine.launch("program", program.launch, program.parameters(input, output));
  const auto bytes = machine.memory(output, program.output_bytes);
  return {bytes.begin(), bytes.end()};
}

}  // namespace cudalabs::reference
