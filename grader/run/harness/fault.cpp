// Signal handlers, and what is called at an exit: nothing here allocates or formats, and nothing but the unwinder
// locks.
#include "run/harness/fault.h"

#include <link.h>
#include <signal.h>
#include <sys/socket.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>

// In our own runtime only: where the calling thread is in a CUDA call, or 0.
extern "C" __attribute__((weak)) std::uint64_t cudalabs_current_call();

namespace cudalabs::harness {
namespace {

struct Region {
  Hit hit;
  const ArrayRecord* record;
  std::uintptr_t begin, end;
};

constexpr int kMostRegions = 192;  // one on the device, two around it on the host, for each input and output
Region g_regions[kMostRegions];
int g_region_count = 0;
std::uintptr_t g_load_address = 0;
alignas(16) char g_stack[65536];  // the program's own may be what overflowed

struct Callers {
  std::uint64_t* addresses;
  int count;
};

/// The handler itself, and what the system put between it and the program, are told like the other callers: no line of
/// the submission's is theirs.
_Unwind_Reason_Code note_caller(_Unwind_Context* context, void* result) {
  auto& callers = *static_cast<Callers*>(result);
  int at_instruction = 0;
  const std::uintptr_t address = _Unwind_GetIPInfo(context, &at_instruction);
  if (address == 0 || callers.count == kMostCallers) return _URC_END_OF_STACK;
  // A return address may belong to the line after the call.
  callers.addresses[callers.count++] = address - (at_instruction != 0 ? 0 : 1) - g_load_address;
  return _URC_NO_REASON;
}

void on_fault(int signal, siginfo_t* info, void* context) {
  Message message;
  message.type = MessageType::fault;
#if defined(__x86_64__)
  message.instruction =
      static_cast<std::uint64_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]) - g_load_address;
#elif defined(__aarch64__)
  message.instruction = static_cast<ucontext_t*>(context)->uc_mcontext.pc - g_load_address;
#endif
  // What faults within a CUDA call, the submission's call made fault.
  const std::uint64_t call = cudalabs_current_call != nullptr ? cudalabs_current_call() : 0;
  if (call != 0) message.instruction = call;
  Callers callers{message.callers, 0};
  _Unwind_Backtrace(&note_caller, &callers);
  if (signal == SIGSEGV || signal == SIGBUS) {
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    message.address = address;
    for (int i = 0; i < g_region_count; ++i) {
      const Region& region = g_regions[i];
      if (address < region.begin || address >= region.end) continue;
      message.hit = region.hit;
      message.elements = region.record->elements;
      std::strncpy(message.text, region.record->name, sizeof message.text - 1);
    }
  }
  // The handler is gone by now: returning repeats the instruction, and the signal ends the program.
  send(kControl, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (signal == SIGXCPU) raise(signal);  // which no instruction does
}

/// Told once, by the process that the grader started: what the submission forks has no part in the conversation.
std::atomic<pid_t> g_watched_process{0};

/// `exit` and the like are called, at `call`.
void note_exit(const void* call) {
  pid_t watched = getpid();
  if (!g_watched_process.compare_exchange_strong(watched, 0)) return;
  Message message;
  message.type = MessageType::fault;
  message.instruction = reinterpret_cast<std::uintptr_t>(call) - 1 - g_load_address;
  Callers callers{message.callers, 0};
  _Unwind_Backtrace(&note_caller, &callers);
  send(kControl, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

int take_load_address(dl_phdr_info* info, std::size_t, void*) {
  g_load_address = info->dlpi_addr;
  return 1;  // the first one is the program itself
}

}  // namespace

void report_faults() {
  dl_iterate_phdr(&take_load_address, nullptr);
  stack_t stack{};
  stack.ss_sp = g_stack;
  stack.ss_size = sizeof g_stack;
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = &on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU}) sigaction(signal, &action, nullptr);
}

void watch_exits(bool watched) {
  g_watched_process = watched ? getpid() : 0;
}

void remember_memory(Hit hit, const ArrayRecord& record, const void* begin, std::size_t bytes) {
  if (g_region_count == kMostRegions) return;
  const auto at = reinterpret_cast<std::uintptr_t>(begin);
  g_regions[g_region_count] = {hit, &record, at, at + bytes};
  ++g_region_count;
}

void forget_memory() {
  g_region_count = 0;
}

}  // namespace cudalabs::harness

// What ends a program without a signal comes here (--wrap), and then does what it would have done.
extern "C" {

[[noreturn]] void __real_exit(int status);
[[noreturn]] void __real_quick_exit(int status) noexcept;
[[noreturn]] void __real__exit(int status);
[[noreturn]] void __real__Exit(int status) noexcept;

[[noreturn]] __attribute__((visibility("default"))) void __wrap_exit(int status) {
  cudalabs::harness::note_exit(__builtin_return_address(0));
  __real_exit(status);
}

[[noreturn]] __attribute__((visibility("default"))) void __wrap_quick_exit(int status) noexcept {
  cudalabs::harness::note_exit(__builtin_return_address(0));
  __real_quick_exit(status);
}

[[noreturn]] __attribute__((visibility("default"))) void __wrap__exit(int status) {
  cudalabs::harness::note_exit(__builtin_return_address(0));
  __real__exit(status);
}

[[noreturn]] __attribute__((visibility("default"))) void __wrap__Exit(int status) noexcept {
  cudalabs::harness::note_exit(__builtin_return_address(0));
  __real__Exit(status);
}
}
