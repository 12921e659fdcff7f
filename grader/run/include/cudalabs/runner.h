// How a lab's runner.cpp gets its inputs and gives back its outputs.
//
// The grader starts your code as a program of its own for every case. It calls `cudalabs_run` once; that function asks
// for the case's inputs, calls the lab's function, and says `finish`. Nothing here knows the right answer, and nothing
// here judges: the grader compares the outputs after this program has handed them over.
#pragma once

#include <cstddef>

namespace cudalabs {

/// The element types a case can have; anything else does not compile.
enum class Element : unsigned { f32, f64, i32, u8 };
template <typename T>
struct ElementOf;
template <>
struct ElementOf<float> {
  static constexpr Element value = Element::f32;
};
template <>
struct ElementOf<double> {
  static constexpr Element value = Element::f64;
};
template <>
struct ElementOf<int> {
  static constexpr Element value = Element::i32;
};
template <>
struct ElementOf<unsigned char> {
  static constexpr Element value = Element::u8;
};

/// One call of the lab's function. Names are those of the lab's cases; a name that the case does not have ends the
/// program with a message, as does any CUDA error in here.
class Call {
 public:
  /// A parameter of the case: a size, a count.
  long long integer(const char* name) const;
  /// Elements of the input `name`.
  std::size_t elements(const char* name) const;

  /// The input in device memory, copied there the first time it is asked for.
  template <typename T>
  const T* device_input(const char* name) {
    return static_cast<const T*>(device_input(name, ElementOf<T>::value));
  }
  /// The input in host memory. Read-only: writing to it ends the program.
  template <typename T>
  const T* host_input(const char* name) {
    return static_cast<const T*>(host_input(name, ElementOf<T>::value));
  }

  /// Room for the output `name` of `count` elements, in device memory. It holds rubbish.
  template <typename T>
  T* device_output(const char* name, std::size_t count) {
    return static_cast<T*>(device_output(name, ElementOf<T>::value, count));
  }
  /// The same in host memory.
  template <typename T>
  T* host_output(const char* name, std::size_t count) {
    return static_cast<T*>(host_output(name, ElementOf<T>::value, count));
  }

  /// To be said between two functions of a lab: where a launch is made to fail, the error that the first one left
  /// behind is taken away, so that the second one cannot notice it in its place. `faults` in lab.toml can count calls
  /// from here.
  void next_function();

  /// To be said before a function that measures time: the clocks of the host go on days ahead, each from a microsecond
  /// before a full second when it is read next. Differences between two readings are right, as they always are.
  void set_clocks_ahead();

  /// Asks for errors of launches (cudaGetLastError), waits for the device (cudaDeviceSynchronize), and copies the
  /// outputs out of device memory.
  void finish();

 private:
  friend class CallOwner;  // the harness: makes the one call and cleans up after it
  struct State;
  explicit Call(State& state) : state_(&state) {}

  const void* device_input(const char* name, Element type);
  const void* host_input(const char* name, Element type);
  void* device_output(const char* name, Element type, std::size_t count);
  void* host_output(const char* name, Element type, std::size_t count);

  State* state_;
};

}  // namespace cudalabs

/// Defined by the lab's runner.cpp.
void cudalabs_run(cudalabs::Call& call);
