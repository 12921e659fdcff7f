// Programs whose default stream is one of each thread, as `nvcc --default-stream per-thread` compiles them: they call
// other names, `_ptsz` where a stream is among the arguments and `_ptds` where the call is in the default one.
#pragma once

#include <tuple>

#include "vgpu/cudart/client/client.h"

namespace cudalabs::vgpu::client {

/// While it lives, the calling thread's default stream is its own, and calls are made where the program made this one.
class PerThreadCall {
 public:
  explicit PerThreadCall(CallSite site);
  ~PerThreadCall();
  PerThreadCall(const PerThreadCall&) = delete;
  PerThreadCall& operator=(const PerThreadCall&) = delete;

 private:
  CallSite site_;
};

template <class Function>
struct Signature;
template <class Result, class... Arguments>
struct Signature<Result(Arguments...)> {
  using Returns = Result;
  static constexpr std::size_t kCount = sizeof...(Arguments);
  template <std::size_t index>
  using Argument = std::tuple_element_t<index, std::tuple<Arguments...>>;
};

template <class Argument>
Argument in_own_stream(Argument argument) {
  return argument;
}
template <>
inline cudaStream_t in_own_stream(cudaStream_t stream) {
  return stream == nullptr ? cudaStreamPerThread : stream;
}

}  // namespace cudalabs::vgpu::client

// A function's parameters and arguments, by their number.
#define CUDALABS_PARAMETER(name, index) cudalabs::vgpu::client::Signature<decltype(name)>::Argument<index> a##index
#define CUDALABS_PARAMETERS_1(name) CUDALABS_PARAMETER(name, 0)
#define CUDALABS_PARAMETERS_2(name) CUDALABS_PARAMETERS_1(name), CUDALABS_PARAMETER(name, 1)
#define CUDALABS_PARAMETERS_3(name) CUDALABS_PARAMETERS_2(name), CUDALABS_PARAMETER(name, 2)
#define CUDALABS_PARAMETERS_4(name) CUDALABS_PARAMETERS_3(name), CUDALABS_PARAMETER(name, 3)
#define CUDALABS_PARAMETERS_5(name) CUDALABS_PARAMETERS_4(name), CUDALABS_PARAMETER(name, 4)
#define CUDALABS_PARAMETERS_6(name) CUDALABS_PARAMETERS_5(name), CUDALABS_PARAMETER(name, 5)
#define CUDALABS_PARAMETERS_7(name) CUDALABS_PARAMETERS_6(name), CUDALABS_PARAMETER(name, 6)
#define CUDALABS_PARAMETERS_8(name) CUDALABS_PARAMETERS_7(name), CUDALABS_PARAMETER(name, 7)
#define CUDALABS_PARAMETERS_9(name) CUDALABS_PARAMETERS_8(name), CUDALABS_PARAMETER(name, 8)
#define CUDALABS_PARAMETERS_10(name) CUDALABS_PARAMETERS_9(name), CUDALABS_PARAMETER(name, 9)
#define CUDALABS_PARAMETERS_11(name) CUDALABS_PARAMETERS_10(name), CUDALABS_PARAMETER(name, 10)
#define CUDALABS_ARGUMENTS_1 in_own_stream(a0)
#define CUDALABS_ARGUMENTS_2 CUDALABS_ARGUMENTS_1, in_own_stream(a1)
#define CUDALABS_ARGUMENTS_3 CUDALABS_ARGUMENTS_2, in_own_stream(a2)
#define CUDALABS_ARGUMENTS_4 CUDALABS_ARGUMENTS_3, in_own_stream(a3)
#define CUDALABS_ARGUMENTS_5 CUDALABS_ARGUMENTS_4, in_own_stream(a4)
#define CUDALABS_ARGUMENTS_6 CUDALABS_ARGUMENTS_5, in_own_stream(a5)
#define CUDALABS_ARGUMENTS_7 CUDALABS_ARGUMENTS_6, in_own_stream(a6)
#define CUDALABS_ARGUMENTS_8 CUDALABS_ARGUMENTS_7, in_own_stream(a7)
#define CUDALABS_ARGUMENTS_9 CUDALABS_ARGUMENTS_8, in_own_stream(a8)
#define CUDALABS_ARGUMENTS_10 CUDALABS_ARGUMENTS_9, in_own_stream(a9)
#define CUDALABS_ARGUMENTS_11 CUDALABS_ARGUMENTS_10, in_own_stream(a10)

/// The function of so many parameters under the name that it has for such programs.
#define CUDALABS_PER_THREAD(name, suffix, count)                                        \
  CUDALABS_API cudalabs::vgpu::client::Signature<decltype(name)>::Returns name##suffix( \
      CUDALABS_PARAMETERS_##count(name)) {                                              \
    static_assert(cudalabs::vgpu::client::Signature<decltype(name)>::kCount == (count), \
                  "it has another number of parameters");                               \
    const PerThreadCall this_call(call_site());                                         \
    return name(CUDALABS_ARGUMENTS_##count);                                            \
  }
