// What each kind of finding is about, whatever submission it was seen in.
#include "report/finding_rules.h"

#include <algorithm>
#include <cctype>

#include "vgpu/check/finding_ids.h"

namespace cudalabs {

using namespace finding_ids;

const std::vector<FindingRule>& finding_rules() {
  static const std::vector<FindingRule> kRules{
      {kBuildFailed, "The submission does not compile or link",
       "Nothing can be graded before it does. Read the first message of the compiler: those after it often follow from "
       "it."},
      {kNoEffect, "A statement does nothing",
       "A function's name without parentheses, as in `__syncthreads;`, is an expression that is thrown away. Write "
       "the call."},
      {kUnsupportedCall, "A call that the virtual GPU does not offer",
       "The call returns `cudaErrorNotSupported`. The finding says what to use instead."},
      {kRuntimeError, "A call of the CUDA runtime failed, or the program said that something did",
       "Look at the arguments of the call: sizes, pointers, and the direction of a copy. What is done after a call "
       "that "
       "failed works on nothing."},
      {kInvalidLaunch, "A kernel could not be launched",
       "A grid and a block have at least one thread in each direction. A block has at most 1024 threads, and it gets "
       "no more shared memory than there is."},
      {kLeftoverValue, "A variable of the device begins a launch with what an earlier launch left in it",
       "A `__device__` variable has its first value when the program begins, and keeps what kernels write to it. Set "
       "it back before the next launch, or at the end of the kernel."},
      {kHostPointerDereference, "A kernel uses an address of the host",
       "A kernel reaches the device's memory only. Allocate with `cudaMalloc`, copy with `cudaMemcpy`, and pass the "
       "device's pointer."},
      {kGlobalOutOfBounds, "A kernel reads or writes past the end, or before the beginning, of an allocation",
       "A grid often has more threads than there are elements: a thread without an element must not access memory. "
       "Compare the index with the size in every direction."},
      {kSharedOutOfBounds, "A kernel reads or writes outside its shared memory",
       "Compare the index with the size of the `__shared__` array, and dynamic shared memory with the third launch "
       "parameter."},
      {kLocalOutOfBounds, "A thread reads or writes outside an array of its own",
       "Compare the index with the size that the array was declared with."},
      {kConstantOutOfBounds, "A kernel reads outside constant memory",
       "Compare the index with the size of the `__constant__` variable."},
      {kMisalignedAccess, "An access at an address that its size does not divide",
       "A vector type such as `float4` needs an address that is a multiple of its size. Do not add an odd number of "
       "elements to a pointer before it is cast."},
      {kNullPointerDereference, "A kernel reads or writes through a null pointer",
       "Look at where the pointer comes from: an allocation that failed, or a variable that was never set."},
      {kUseAfterFree, "Memory is used after it was given back",
       "Call `cudaFree` after the last kernel and the last copy that use the memory."},
      {kInvalidFree, "Memory is given back that was not allocated, or a second time",
       "Pass `cudaFree` a pointer that `cudaMalloc` has returned, and each of them once."},
      {kWriteToConstant, "A kernel writes to constant memory",
       "Constant memory can be read only while a kernel runs. The host changes it with `cudaMemcpyToSymbol`."},
      {kInputOverwritten, "An input of the function was changed",
       "The contract says which arguments are inputs. Write to the outputs, and to memory of your own."},
      {kBarrierDivergence, "Some threads of a block wait at a barrier that others never reach",
       "All threads of a block must reach the same `__syncthreads()`. Move it out of the condition, and let threads "
       "without work skip the work but not the barrier."},
      {kShuffleFromInactiveLane, "A lane asks for a value of a lane that takes no part",
       "The mask of a shuffle or vote names the lanes that execute it, all of them and no others."},
      {kSharedRace, "Two threads access the same shared memory, at least one of them writes, and nothing orders them",
       "Put a `__syncthreads()` between the two accesses. In a loop one is often needed at both ends of the body."},
      {kGlobalRace, "Two threads access the same global memory, at least one of them writes, and nothing orders them",
       "Let each element be written by one thread, or use an atomic function. Blocks of one launch cannot wait for "
       "each "
       "other: a second launch can."},
      {kStreamRace, "Work in two streams uses the same memory, and nothing orders it",
       "Use one stream, or let one wait for the other with an event: `cudaStreamWaitEvent`."},
      {kHostRace, "The host uses unified or page-locked memory that the device may still work on",
       "Launches and asynchronous copies return before they are done. Call `cudaDeviceSynchronize` after them, before "
       "the host reads or writes the memory that they use."},
      {kEarlyRefill, "The host changes memory that an asynchronous copy still reads",
       "Wait for the copy before its source is written again: `cudaStreamSynchronize` or `cudaEventSynchronize`."},
      {kOverwrittenSource, "A thread overwrites shared memory that a bulk copy may not have read yet",
       "A bulk copy from shared memory goes on while its thread does. Let that thread wait with "
       "`cp_async_bulk_wait_group_read`, and the others at a barrier after it, before the memory is written again."},
      {kInvalidTensorMap, "A tensor copy is given no tensor map, or one that does not fit to it",
       "Fill in the map with `cuTensorMapEncodeTiled`, and pass it to the kernel as `const __grid_constant__ "
       "CUtensorMap`."},
      {kUnfencedCopy, "A bulk copy may not see what threads have stored in shared memory before",
       "Bulk copies read memory by another way than the stores of threads. Each thread calls `fence.proxy.async` "
       "(`cuda::ptx::fence_proxy_async`) after its stores, then all meet at a barrier, then one begins the copy."},
      {kUnfinishedCopy, "A block ends while a bulk copy still uses its shared memory",
       "The shared memory of a block that has ended belongs to another one. Wait for every bulk copy before the end: "
       "at "
       "its barrier, or with `cp_async_bulk_wait_group_read`."},
      {kUninitializedRead, "Memory is read that nothing has written",
       "`cudaMalloc` and `__shared__` give memory with any content. Write every element before it is read."},
      {kAssertionFailed, "An assertion in a kernel failed",
       "The condition that was written down does not hold for the thread that the finding names."},
      {kTimedOut, "A kernel or the program does not come to its end",
       "Look for a loop whose condition never becomes false, and for threads that wait for others that cannot come."},
      {kEndlessWait, "A stream waits for a value in memory that nothing writes",
       "Let a stream that does not come after the wait write the value, or a kernel there, or the host before it waits "
       "for "
       "the stream."},
      {kDeviceReset, "The program resets the device while it is used",
       "`cudaDeviceReset` destroys all memory of the device. Leave it out."},
      {kRunnerCrashed, "The host program crashed",
       "Look at the host's pointers: an address of the device means nothing on the host."},
      {kMemoryLimit, "The host program used more memory than the lab allows",
       "Look for an allocation in a loop, or a size that is computed wrongly."},
      {kOutputLimit, "The program printed more than the lab allows", "Print less: one thread is often enough."},
      {kProcessLimit, "The program started more processes or threads than the lab allows",
       "The exercises need none: parallel work belongs on the device."},
      {kDiskLimit, "The program wrote more to the disk than the lab allows", "The exercises need no files."},
      {kProtocolError, "The program did not answer the grader as it must",
       "Leave standard streams and descriptors that your code has not opened alone, and return from the function."},
      {kTimeBudget, "The grading used up its time before this case was run",
       "Fix what makes the other cases slow. Then there is time for all of them."},
      {kNoKernel, "No kernel was launched", "The result has to be computed by a kernel on the device."},
      {kComputedOnTheHost, "The result was not computed on the device",
       "The grader changed the device's memory, and the result stayed the same. Copy the inputs to the device, compute "
       "there, and copy the result back."},
      {kLikelyCause, "A small change of this line is all that is missing",
       "The grader tried small changes of the text one after the other. With this one the program passes."},
      {kUnfinished, "A part of the skeleton is still to be written",
       "The comments `TODO` of the skeleton say what is missing. Write the code for each of them, and remove the "
       "comment."},
      {kUnwrittenOutput, "Elements of the output were never written",
       "Launch enough threads: the number of blocks is rounded up. Then look at the condition that keeps threads from "
       "writing, and at the copy back to the host."},
      {kNonfiniteResult, "Elements of the output are not a number, or infinite",
       "Look for a division by zero, and for memory that is read before it is written."},
      {kResultMismatch, "Elements of the output are wrong",
       "Where the wrong elements lie says what is wrong: the last rows or columns point to sizes that the block does "
       "not divide, every second block to an index."},
      {kWrongWhenTimed, "The result is wrong at the size at which speed is measured",
       "The size is larger than those of the cases: look at the type of indices and at limits of the grid."},
      {kFailedWhenTimed, "The program failed at the size at which speed is measured",
       "The size is larger than those of the cases: look at limits of the grid, and at memory."},
      {kFasterThanPossible, "The time is shorter than the device needs for the work",
       "Every call has to do all of the work. Results that are kept from an earlier call do not count."},
      {kUncheckedLaunch, "A launch failed, and the program did not notice",
       "A launch returns nothing. Ask `cudaGetLastError()` after it, and `cudaDeviceSynchronize()` for what happens "
       "later."},
      {kMemoryLeak, "Memory of the device is never given back",
       "Every `cudaMalloc` needs its `cudaFree`, on the way that an error takes, too."},
      {kRedundantBarrier, "A barrier that orders nothing",
       "No thread depends on another across it. Without it the result is the same, and blocks wait less."},
  };
  return kRules;
}

const FindingRule* finding_rule(std::string_view id) {
  const auto found = std::ranges::find(finding_rules(), id, &FindingRule::id);
  return found == finding_rules().end() ? nullptr : &*found;
}

std::string camel_case(std::string_view id) {
  std::string name;
  bool start = true;
  for (const char c : id) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) == 0) {
      start = true;
      continue;
    }
    name += start ? static_cast<char>(std::toupper(byte)) : c;
    start = false;
  }
  return name;
}

}  // namespace cudalabs
