// Reads the errors' texts; the wordings are those of clang 14 to 19 and nvcc 13.
#include "build/side_errors.h"

#include "build/message_text.h"
#include "text/code_scan.h"

namespace cudalabs::builder {
namespace {

bool is_from_device(std::string_view text) {
  return says_any(text, {"from __global__ function", "from __device__ function", "from a __global__ function",
                         "from a __device__ function", "in __global__ function", "in __device__ function",
                         "from __host__ __device__ function", "in __host__ __device__ function"});
}

bool calls_host(std::string_view text) {
  if (text.ends_with("is undefined in device code")) return true;
  return is_from_device(text) &&
         says_any(text, {"to __host__ function", "reference to __host__ function", "calling a __host__ function",
                         "calling a constexpr __host__ function"});
}

bool calls_device(std::string_view text) {
  return text == "a __device__ function call cannot be configured" ||
         (says_any(text, {"from __host__ function", "from a __host__ function", "in __host__ function"}) &&
          says_any(text,
                   {"to __device__ function", "reference to __device__ function", "calling a __device__ function"}));
}

/// "plus_of" of "no matching function for call to 'plus_of'" and of `a __host__ function("plus_of(float, float)")`.
std::string called_name(std::string_view text) {
  for (const auto& [before, after] :
       {std::pair{"for call to '", "'"}, std::pair{"__ function '", "'"}, std::pair{"__ function(\"", "\""},
        std::pair{"identifier \"", "\" is undefined"}}) {
    const auto found = between(text, before, after);
    if (!found) continue;
    const std::string_view name = found->substr(0, std::min(found->find('('), found->size()));
    return plain_name(std::string(name));
  }
  return {};
}

std::string help_with_host_call(const Finding& error, const ErrorSource& source) {
  const std::string_view text = error.message;
  const std::string_view line = source.code_line(error.where);
  const std::string name = called_name(text);
  if (says(text, "basic_ostream") || has_name(line, "cout") || has_name(line, "cerr"))
    return std::string(kStreamsAreOfHost);
  if (name == "fprintf" || name == "puts" || name == "fflush" || name == "stderr")
    return "`" + name + "` works on the host alone: a kernel prints with `printf(...)`";
  if (says_any(text, {"std::vector", "std::array", "std::map", "std::deque", "std::list", "basic_string",
                      "std::unordered_map", "std::set", "std::allocator"})) {
    return std::string(kContainersAreOfHost);
  }
  if (!name.empty() && source.definition(name)) {
    return in_backticks(name) +
           " is a function of the host: write `__host__ __device__` before its definition, and code of both sides can "
           "call it";
  }
  if (name == "min" || name == "max") return "use CUDA's own " + in_backticks(name) + ", without `std::`";
  if (name.starts_with("cuda"))
    return in_backticks(name) + " belongs into code of the host: call it before or after the launch";
  if (!is_identifier(name)) return "a kernel can call only functions of the device: do this on the host";
  return in_backticks(name) + " is a function of the host: a kernel can call only functions of the device";
}

std::string help_with_device_call(const Finding& error, const ErrorSource& source) {
  const std::string_view launched = launched_in(source.code_line(error.where));
  const std::string name = called_name(error.message);
  const bool configured = error.message == "a __device__ function call cannot be configured";
  if (!launched.empty() && (configured || name == launched)) {
    return "a function that the host launches is a kernel: write `__global__` in place of `__device__` before " +
           in_backticks(launched);
  }
  if (!name.empty() && source.definition(name)) {
    return in_backticks(name) +
           " is a function of the device: write `__host__ __device__` before its definition, and code of both sides "
           "can call it";
  }
  return "code of the host cannot call this: only kernels, and functions with `__device__`, can";
}

}  // namespace

bool is_about_sides(std::string_view note) {
  return calls_host(note) || calls_device(note);
}

std::string help_with_side(const Finding& error, const ErrorSource& source) {
  if (calls_host(error.message) || calls_host(error.note)) return help_with_host_call(error, source);
  if (is_of_builtin_variable(error.message)) {
    return std::string(kThreadsAreOfDevice);
  }
  if (calls_device(error.message) || calls_device(error.note)) return help_with_device_call(error, source);
  return {};
}

bool is_of_builtin_variable(std::string_view message) {
  return says_any(message, {"__fetch_builtin_", "cannot find suitable getter for property '"});
}

}  // namespace cudalabs::builder
