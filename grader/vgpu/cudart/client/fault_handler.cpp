// Page faults in unified memory, and in page-locked memory that a copy is to fill, among those that are the program's
// own.
#include <errno.h>
#include <signal.h>
#include <ucontext.h>
#include <unwind.h>

#include <algorithm>

#include "vgpu/cudart/client/awaited_pages.h"

// The library links into programs of any kind: in one that unwinds nothing, only the touch itself has a place.
extern "C" {
__attribute__((weak)) _Unwind_Reason_Code _Unwind_Backtrace(_Unwind_Trace_Fn, void*);
__attribute__((weak)) _Unwind_Ptr _Unwind_GetIPInfo(struct _Unwind_Context*, int*);
}

namespace cudalabs::vgpu::client {
namespace {

constinit struct sigaction others {};  // what the program, or its harness, does about a fault

std::uint64_t instruction_of(const ucontext_t& context) {
#if defined(__x86_64__)
  return static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return context.uc_mcontext.pc;
#endif
}

bool was_write(const ucontext_t& context) {
#if defined(__x86_64__)
  constexpr long long kWrite = 2;
  return (context.uc_mcontext.gregs[REG_ERR] & kWrite) != 0;
#elif defined(__aarch64__)
  constexpr std::uint64_t kWriteNotRead = 1 << 6;
  const auto* at = reinterpret_cast<const char*>(context.uc_mcontext.__reserved);
  for (;;) {
    const auto* head = reinterpret_cast<const _aarch64_ctx*>(at);
    if (head->magic == ESR_MAGIC) return (reinterpret_cast<const esr_context*>(at)->esr & kWriteNotRead) != 0;
    if (head->magic == 0 || head->size == 0) return true;
    at += head->size;
  }
#endif
}

/// The two innermost places of the program, from the touch on.
struct Places {
  std::uint64_t touch = 0;  // address of the instruction
  bool reached = false;     // frames further in are the handler's
  std::uint64_t found[2] = {};
  int count = 0;
};

_Unwind_Reason_Code note_place(_Unwind_Context* context, void* result) {
  auto& places = *static_cast<Places*>(result);
  int at_instruction = 0;
  const std::uint64_t address = _Unwind_GetIPInfo(context, &at_instruction);
  places.reached = places.reached || address == places.touch;
  if (address == 0 || places.count == 2) return _URC_END_OF_STACK;
  if (!places.reached) return _URC_NO_REASON;
  const std::uint64_t after = address + (at_instruction != 0 ? 1 : 0);
  const std::uint64_t place = client().relative(reinterpret_cast<const void*>(after));
  if (place != 0) places.found[places.count++] = place;
  return _URC_NO_REASON;
}

/// `in_call`: of the runtime.
bool serve(const siginfo_t& info, const ucontext_t& context, bool in_call) {
  HostTouch touch;
  touch.address = address_of(info.si_addr);
  const bool managed = !is_forked() && client().managed.has_pages_at(touch.address);
  const bool mapped = client().mapped.has_taken(touch.address);
  const auto awaited = [&](const PendingCopy& copy) {
    return touch.address >= copy.taken_begin && touch.address < copy.taken_end;
  };
  if (!managed && !mapped && !std::any_of(client().pending_copies.begin(), client().pending_copies.end(), awaited))
    return false;
  touch.writes = was_write(context);
  Places places;
  places.touch = instruction_of(context);
  if (_Unwind_Backtrace != nullptr && _Unwind_GetIPInfo != nullptr) _Unwind_Backtrace(&note_place, &places);
  touch.origin =
      places.count > 0 ? places.found[0] : client().relative(reinterpret_cast<const void*>(places.touch + 1));
  touch.outer = places.found[1];
  if (mapped) {
    client().mapped.serve(client(), touch);
    return true;
  }
  return managed ? client().managed.serve(client(), touch) : touch_awaited(client(), touch, in_call);
}

/// As if ours had not been there: for a handler the fault repeats, for nobody the program ends.
void leave_to_others(int signal, siginfo_t* info, void* context) {
  const struct sigaction next = others;
  const bool handled = (next.sa_flags & SA_SIGINFO) != 0 || (next.sa_handler != SIG_DFL && next.sa_handler != SIG_IGN);
  if (!handled || (next.sa_flags & SA_RESETHAND) != 0) {
    struct sigaction none {};
    none.sa_handler = SIG_DFL;
    sigaction(signal, &none, nullptr);
  }
  if (!handled) return;
  if ((next.sa_flags & SA_SIGINFO) != 0) {
    next.sa_sigaction(signal, info, context);
  } else {
    next.sa_handler(signal);
  }
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const auto& of_thread = *static_cast<const ucontext_t*>(context);
  bool served = false;
  if (info->si_code == SEGV_ACCERR) {
    if (!holds_lock()) {
      const Lock lock;
      served = serve(*info, of_thread, false);
    } else if (!client().exchanging()) {
      served =
          serve(*info, of_thread, true);  // a call writes its result into unified memory, or reads an argument there
    }
  }
  if (!served) leave_to_others(signal, info, context);
  errno = error;
}

}  // namespace

void watch_faults() {
  struct sigaction now {};
  if (sigaction(SIGSEGV, nullptr, &now) != 0) return;
  if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == &on_fault) return;
  others = now;
  struct sigaction ours {};
  ours.sa_sigaction = &on_fault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ours.sa_mask = now.sa_mask;
  sigaction(SIGSEGV, &ours, nullptr);
}

}  // namespace cudalabs::vgpu::client
