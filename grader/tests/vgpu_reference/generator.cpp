// Random PTX programs: the launch, the registers, the operands.
#include "generator.h"

#include <cstring>

#include "program_writer.h"

namespace cudalabs::reference {

std::uint32_t pool_count(char letter) {
  if (letter == 'p') return kPredicates;
  for (const Pool& pool : kPools) {
    if (pool.letter == letter) return pool.count;
  }
  return 0;
}

Program ProgramWriter::build() {
  choose_launch();
  block(0, options_.statements);
  // The form that this seed is for, where control flow cannot leave it out.
  for (int i = 0; i < 3; ++i) arithmetic(seed_ % forms(), 0);
  const std::string body = std::move(text_);
  text_.clear();
  header();
  functions();
  kernel(body);
  fill_input();
  program_.ptx = std::move(text_);
  program_.forms.assign(used_forms_.begin(), used_forms_.end());
  return std::move(program_);
}

std::string ProgramWriter::label() {
  return fmt::format("L{}", labels_++);
}

std::string ProgramWriter::reg(char letter) {
  return fmt::format("%{}{}", letter, random_.below(pool_count(letter)));
}

std::string ProgramWriter::immediate(char letter) {
  switch (letter) {
    case 'f':
      return fmt::format("0f{:08X}", interesting_float(random_, 32));
    case 'e':
      return fmt::format("0d{:016X}", interesting_float(random_, 64));
    case 'd':
      return fmt::format("{}", static_cast<std::int64_t>(interesting_integer(random_)));
    case 'r':
      return fmt::format("{}", static_cast<std::int32_t>(interesting_integer(random_)));
    default:
      return fmt::format("{}", static_cast<std::int16_t>(interesting_integer(random_)));
  }
}

std::string ProgramWriter::guard(unsigned percent) {
  if (!random_.chance(percent)) return {};
  return fmt::format("@{}{} ", random_.chance(50) ? "!" : "", reg('p'));
}

std::string ProgramWriter::operand(char letter, bool may_be_immediate) {
  switch (letter) {
    case 'q': {
      const std::uint64_t first = random_.below(kPredicates);
      return fmt::format("%p{}|%p{}", first, (first + 1 + random_.below(kPredicates - 1)) % kPredicates);
    }
    case 'P':
      return fmt::format("{}{}", random_.chance(30) ? "!" : "", reg('p'));
    case 't':
      return fmt::format("{}", random_.below(256));
    case 'm':
      // ptxas 13.0 folds two immediates beyond the register's width into something else than the ISA says.
      if (random_.chance(50)) return fmt::format("{}", random_.below(options_.portable ? 32 : 256));
      fields_ = 1 - fields_;
      line("and.b32 %i{}, {}, 255;", fields_, reg('r'));
      return fmt::format("%i{}", fields_);
    case 'n':
      return random_.chance(60) ? fmt::format("{}", random_.below(random_.chance(80) ? 70 : 256)) : reg('r');
    default:
      return may_be_immediate && letter != 'p' && random_.chance(20) ? immediate(letter) : reg(letter);
  }
}

void ProgramWriter::choose_launch() {
  static const std::vector<Launch> shapes{
      {{1, 1, 1}, {32, 1, 1}, 0},  {{2, 1, 1}, {48, 1, 1}, 0}, {{1, 1, 1}, {7, 1, 1}, 0},  {{2, 2, 1}, {8, 4, 1}, 0},
      {{1, 2, 2}, {4, 3, 3}, 0},   {{3, 1, 1}, {33, 1, 1}, 0}, {{1, 1, 1}, {64, 1, 1}, 0}, {{1, 1, 1}, {16, 5, 1}, 0},
      {{1, 1, 1}, {128, 1, 1}, 0}, {{5, 1, 1}, {3, 2, 2}, 0}};
  program_.launch = random_.pick(shapes);
  threads_per_block_ = program_.launch.block[0] * program_.launch.block[1] * program_.launch.block[2];
}

// Places every register in a thread's record; returns the input's bytes a thread. Scratch memory comes behind, in the
// output only: global, shared, local.
std::uint32_t ProgramWriter::layout() {
  std::uint32_t offset = 0;
  for (const Pool& pool : kPools) {
    for (std::uint32_t i = 0; i < pool.count; ++i, offset += pool.bytes) {
      program_.slots.push_back({fmt::format("%{}{}", pool.letter, i), offset, pool.bytes});
    }
  }
  const std::uint32_t input_stride = (offset + 15) / 16 * 16;
  for (std::uint32_t i = 0; i < kPredicates; ++i) program_.slots.push_back({fmt::format("%p{}", i), offset++, 1});
  scratch_offset_ = (offset + 15) / 16 * 16;
  program_.output_stride = scratch_offset_ + 3 * kScratchBytes;
  program_.output_bytes = program_.threads() * program_.output_stride + kTotalBytes;
  input_stride_ = input_stride;
  return input_stride;
}

void ProgramWriter::fill_input() {
  program_.input.resize(program_.threads() * input_stride_);
  for (std::uint64_t thread = 0; thread < program_.threads(); ++thread) {
    for (const OutputSlot& slot : program_.slots) {
      if (slot.name[1] == 'p') continue;
      const bool real = slot.name[1] == 'f' || slot.name[1] == 'e' || (slot.name[1] == 'h' && random_.chance(50));
      const std::uint64_t value = real ? interesting_float(random_, 8 * slot.bytes) : interesting_integer(random_);
      std::memcpy(program_.input.data() + thread * input_stride_ + slot.offset, &value, slot.bytes);
    }
  }
  // Scratch memory shows in the output as it is.
  const char* const names[] = {"global", "shared", "local"};
  for (std::uint32_t k = 0; k < 3; ++k) {
    for (std::uint32_t i = 0; i < kScratchBytes; i += 8) {
      program_.slots.push_back({fmt::format("{}[{}]", names[k], i), scratch_offset_ + k * kScratchBytes + i, 8});
    }
  }
}

std::uint64_t Program::threads() const {
  std::uint64_t count = 1;
  for (const auto& extent : {launch.grid, launch.block}) count *= std::uint64_t{extent[0]} * extent[1] * extent[2];
  return count;
}

std::vector<std::byte> Program::parameters(std::uint64_t input_address, std::uint64_t output_address) const {
  std::vector<std::byte> bytes(16);
  std::memcpy(bytes.data(), &input_address, 8);
  std::memcpy(bytes.data() + 8, &output_address, 8);
  return bytes;
}

Program generate(std::uint64_t seed, const ProgramOptions& options) {
  return ProgramWriter(seed, options).build();
}

}  // namespace cudalabs::reference
