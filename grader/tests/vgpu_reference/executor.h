// What each instruction does to a thread of the reference machine.
#pragma once

#include <span>

#include "thread.h"

namespace cudalabs::reference {

/// What all blocks of a launch share.
struct World {
  std::map<std::string, Routine, std::less<>> routines;
  std::map<std::string, std::uint64_t, std::less<>> symbols;  // functions and global variables
  std::map<std::uint64_t, std::string> function_at;
  std::vector<std::byte> global;  // from Machine::kGlobalBase on
  std::vector<std::byte> parameters;

  std::span<std::byte> global_bytes(std::uint64_t address, std::uint64_t bytes);
};

/// Executes the threads of one block.
class Executor {
 public:
  Executor(World& world, const Launch& launch, Block& block) : world_(world), launch_(launch), block_(block) {}

  /// Begins a kernel: the thread's first frame.
  void enter(Thread& thread, const Routine& kernel);
  /// Runs every thread until it waits or ends, then lets those go on whose barrier or warp operation is complete. False
  /// when all have ended; throws MachineError when none can go on.
  bool advance();

 private:
  using Operand = vgpu::ptx::Operand;

  void run(Thread& thread);
  void execute(Thread& thread, const Decoded& decoded);

  // Operands (executor_operands.cpp).
  std::uint64_t read(Thread& thread, const Operand& operand, Type type);
  void write(Thread& thread, const Operand& operand, Type type, std::uint64_t bits);
  std::uint64_t special_register(const Thread& thread, const vgpu::ptx::SpecialRegister& reg) const;
  std::uint64_t address_of_symbol(Thread& thread, const std::string& name) const;

  // Instructions.
  void arithmetic(Thread& thread, const Decoded& decoded);
  void move(Thread& thread, const Decoded& decoded);
  void load(Thread& thread, const Decoded& decoded);
  void store(Thread& thread, const Decoded& decoded);
  void atomic(Thread& thread, const Decoded& decoded);
  void convert_address(Thread& thread, const Decoded& decoded);
  void branch(Thread& thread, const std::string& label);
  void call(Thread& thread, const Decoded& decoded);
  void leave(Thread& thread);
  void place_variables(Thread& thread, Frame& frame, const std::vector<vgpu::ptx::Variable>& variables);

  // Memory (executor_memory.cpp).
  std::span<std::byte> bytes_at(Thread& thread, const Decoded& decoded, const Operand& address, std::uint64_t bytes);

  // Threads together (executor_together.cpp).
  bool complete_barriers();
  bool complete_warp_operations();
  void warp_operation(std::vector<Thread*> lanes);

  World& world_;
  const Launch& launch_;
  Block& block_;
};

[[noreturn]] void fail(const Decoded& decoded, const std::string& message);

/// The lanes that take part in a warp operation, as its mask operand says.
std::size_t mask_operand(const Decoded& decoded);

}  // namespace cudalabs::reference
