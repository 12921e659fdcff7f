// Stands in for the grader's harness: makes a program of its own of a lab's runner and a submission, so that other
// tools can run it. Arguments: NAME=NUMBER for each parameter of the case, and for each input how many elements it has.
// Nothing is judged; the exit code is 2 where a call of CUDA has failed.
#include <cuda_runtime_api.h>
#include <cudalabs/runner.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace cudalabs {

struct Call::State {
  struct Array {
    std::vector<unsigned char> host;
    void* device = nullptr;
    bool is_output = false;
  };
  std::map<std::string, long long> numbers;
  std::map<std::string, Array> arrays;
  cudaError_t error = cudaSuccess;

  void note(cudaError_t result) {
    if (error == cudaSuccess) error = result;
  }
};

class CallOwner {
 public:
  int run(int count, char** arguments) {
    for (int i = 1; i < count; ++i) {
      const std::string argument = arguments[i];
      const std::size_t at = argument.find('=');
      state_.numbers[argument.substr(0, at)] = std::atoll(argument.c_str() + at + 1);
    }
    Call call(state_);
    cudalabs_run(call);
    for (auto& [name, array] : state_.arrays) state_.note(cudaFree(array.device));
    return state_.error == cudaSuccess ? 0 : 2;
  }

 private:
  Call::State state_;
};

namespace {

std::size_t bytes_of(Element type) {
  return type == Element::f64 ? sizeof(double) : type == Element::u8 ? 1 : 4;
}

}  // namespace

long long Call::integer(const char* name) const {
  return state_->numbers.at(name);
}

std::size_t Call::elements(const char* name) const {
  return state_->numbers.at(name);
}

const void* Call::host_input(const char* name, Element type) {
  State::Array& array = state_->arrays[name];
  if (!array.host.empty()) return array.host.data();
  const std::size_t count = elements(name);
  array.host.resize(count * bytes_of(type));
  for (std::size_t i = 0; i < count; ++i) {
    const int value = static_cast<int>((i * 7 + name[0]) % 23);  // other values for each
    if (type == Element::f32) reinterpret_cast<float*>(array.host.data())[i] = static_cast<float>(value);
    if (type == Element::f64) reinterpret_cast<double*>(array.host.data())[i] = value;
    if (type == Element::i32) reinterpret_cast<int*>(array.host.data())[i] = value;
    if (type == Element::u8) array.host[i] = static_cast<unsigned char>(value);
  }
  return array.host.data();
}

const void* Call::device_input(const char* name, Element type) {
  const void* from = host_input(name, type);
  State::Array& array = state_->arrays[name];
  if (array.device == nullptr) {
    state_->note(cudaMalloc(&array.device, array.host.size()));
    state_->note(cudaMemcpy(array.device, from, array.host.size(), cudaMemcpyHostToDevice));
  }
  return array.device;
}

void* Call::host_output(const char* name, Element type, std::size_t count) {
  State::Array& array = state_->arrays[name];
  array.host.resize(count * bytes_of(type));
  return array.host.data();
}

void* Call::device_output(const char* name, Element type, std::size_t count) {
  host_output(name, type, count);
  State::Array& array = state_->arrays[name];
  array.is_output = true;
  if (array.device == nullptr) state_->note(cudaMalloc(&array.device, array.host.size()));
  return array.device;
}

void Call::next_function() {}

void Call::set_clocks_ahead() {}

void Call::finish() {
  state_->note(cudaGetLastError());
  state_->note(cudaDeviceSynchronize());
  for (auto& [name, array] : state_->arrays) {
    if (array.is_output)
      state_->note(cudaMemcpy(array.host.data(), array.device, array.host.size(), cudaMemcpyDeviceToHost));
  }
}

}  // namespace cudalabs

int main(int count, char** arguments) {
  cudalabs::CallOwner owner;
  return owner.run(count, arguments);
}
