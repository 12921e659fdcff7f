// Reads the errors' texts; the wordings are those of clang 14 to 19 and nvcc 13.
#include "build/name_errors.h"

#include <algorithm>
#include <array>
#include <utility>

#include "build/message_text.h"
#include "build/side_errors.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/lower_case.h"

namespace cudalabs::builder {
namespace {

/// What programs of CUDA are written with, for who has misspelled one of them.
constexpr std::array<std::string_view, 44> kWordsOfCuda{"__global__",
                                                        "__device__",
                                                        "__host__",
                                                        "__shared__",
                                                        "__constant__",
                                                        "__syncthreads",
                                                        "__syncwarp",
                                                        "__restrict__",
                                                        "threadIdx.x",
                                                        "threadIdx.y",
                                                        "threadIdx.z",
                                                        "blockIdx.x",
                                                        "blockIdx.y",
                                                        "blockIdx.z",
                                                        "blockDim.x",
                                                        "blockDim.y",
                                                        "blockDim.z",
                                                        "gridDim.x",
                                                        "gridDim.y",
                                                        "gridDim.z",
                                                        "threadIdx",
                                                        "blockIdx",
                                                        "blockDim",
                                                        "gridDim",
                                                        "atomicAdd",
                                                        "dim3",
                                                        "cudaMalloc",
                                                        "cudaMemcpy",
                                                        "cudaFree",
                                                        "cudaMemset",
                                                        "cudaGetLastError",
                                                        "cudaError_t",
                                                        "cudaSuccess",
                                                        "cudaGetErrorString",
                                                        "cudaEvent_t",
                                                        "cudaEventCreate",
                                                        "cudaDeviceSynchronize",
                                                        "cudaEventRecord",
                                                        "cudaEventDestroy",
                                                        "cudaStream_t",
                                                        "cudaStreamCreate",
                                                        "cudaStreamDestroy",
                                                        "cudaMemcpyHostToDevice",
                                                        "cudaMemcpyDeviceToHost"};

/// Names of the standard library, and the header that has each.
constexpr std::pair<std::string_view, std::string_view> kHeaders[] = {
    {"printf", "cstdio"},      {"fprintf", "cstdio"}, {"stderr", "cstdio"},          {"stdout", "cstdio"},
    {"puts", "cstdio"},        {"malloc", "cstdlib"}, {"free", "cstdlib"},           {"exit", "cstdlib"},
    {"abort", "cstdlib"},      {"rand", "cstdlib"},   {"EXIT_FAILURE", "cstdlib"},   {"memcpy", "cstring"},
    {"memset", "cstring"},     {"strcmp", "cstring"}, {"assert", "cassert"},         {"FLT_MAX", "cfloat"},
    {"INT_MAX", "climits"},    {"cout", "iostream"},  {"cerr", "iostream"},          {"vector", "vector"},
    {"string", "string"},      {"sort", "algorithm"}, {"swap", "utility"},           {"unique_ptr", "memory"},
    {"accumulate", "numeric"}, {"chrono", "chrono"},  {"numeric_limits", "limits"},  {"setprecision", "iomanip"},
    {"min", "algorithm"},      {"max", "algorithm"},  {"runtime_error", "stdexcept"}};

/// Headers of the samples that come with CUDA, beside those that begin with "helper_".
bool is_of_samples(std::string_view header) {
  const std::size_t slash = header.rfind('/');
  if (slash != std::string_view::npos) header.remove_prefix(slash + 1);
  return header.starts_with("helper_") || header == "cutil.h" || header == "cutil_inline.h" || header == "shrUtils.h";
}

std::string help_with_header(std::string_view header, const Finding& error, const ErrorSource& source) {
  if (is_of_samples(header)) {
    return in_backticks(header) +
           " belongs to NVIDIA's samples, and is no part of CUDA: remove the line, and check for errors with "
           "`cudaGetLastError` and `cudaGetErrorString`";
  }
  const std::string_view line = source.code_line(error.where);
  if (says(line, "\"" + std::string(header) + "\"")) {
    return in_backticks(source.file_name()) + " is the only file of yours that is compiled: put what it needs of " +
           in_backticks(header) + " into it, and remove this line";
  }
  return "no such header is installed: check its name, or remove the line if nothing is used of it";
}

bool equal_but_for_case(std::string_view a, std::string_view b) {
  return lower(a) == lower(b);
}

/// One letter more, less or other, or two neighbours exchanged.
bool is_one_slip(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1) return false;
  const auto differ = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  if (a.size() < b.size()) return a.substr(differ) == b.substr(differ + 1);
  const std::string_view x = a.substr(differ), y = b.substr(differ);
  return x.substr(std::min<std::size_t>(1, x.size())) == y.substr(std::min<std::size_t>(1, y.size())) ||
         (x.size() > 1 && x[0] == y[1] && x[1] == y[0] && x.substr(2) == y.substr(2));
}

/// So short that one slip makes most of them out of any other.
constexpr std::size_t kShortName = 4;

bool is_near(std::string_view name, std::string_view other) {
  if (name == other) return false;
  return equal_but_for_case(name, other) ||
         (name.size() >= kShortName && other.size() >= kShortName && is_one_slip(name, other));
}

std::string_view without_underscores(std::string_view name) {
  const std::size_t begin = name.find_first_not_of('_');
  return begin == kNowhere ? std::string_view() : name.substr(begin, name.find_last_not_of('_') + 1 - begin);
}

/// "_global_" and "syncthreads". A variable may well be called `shared`: without an underscore that is a word of CUDA
/// only where a declaration begins.
bool is_word_of_cuda(std::string_view name, std::string_view word, bool begins_declaration) {
  if (is_near(name, word)) return true;
  if (!word.starts_with('_')) return false;
  if (!begins_declaration && !name.starts_with('_') && !word.starts_with("__sync")) return false;
  const std::string_view bare = without_underscores(name), own = without_underscores(word);
  return bare == own || is_near(bare, own);
}

/// A name near to this one: of CUDA's, or of those that the function names up to the error's line.
std::string near_name(std::string_view name, const Finding& error, const ErrorSource& source) {
  const bool begins_declaration = says_any(error.message, {"unknown type name", "has no storage class"});
  for (const std::string_view word : kWordsOfCuda)
    if (is_word_of_cuda(name, word, begins_declaration)) return std::string(word);
  std::string found;
  const auto look = [&](std::string_view text) {
    for_each_name(text, [&](std::size_t, std::string_view word) {
      if (found.empty() && is_near(name, word)) found = word;
    });
  };
  const FunctionBody* function = source.function_around(error.where);
  if (function == nullptr) return found;
  for (const std::string& parameter : function->parameters) look(parameter);
  const std::string_view line = source.code_line(error.where), code = source.code();
  const auto begin = static_cast<std::size_t>(line.data() - code.data());
  look(code.substr(function->begin, begin - std::min(begin, function->begin)));
  return found;
}

/// The function has the name in an earlier line: that line may be why it is not known, or other braces have it.
bool is_named_before(std::string_view name, const Finding& error, const ErrorSource& source) {
  const FunctionBody* function = source.function_around(error.where);
  if (function == nullptr) return true;
  const std::string_view line = source.code_line(error.where), code = source.code();
  const auto begin = static_cast<std::size_t>(line.data() - code.data());
  return has_name(code.substr(function->begin, begin - std::min(begin, function->begin)), name);
}

std::string include_for(std::string_view name) {
  const auto found = std::ranges::find(kHeaders, name, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(kHeaders) ? std::string() : "`#include <" + std::string(found->second) + ">`";
}

/// "no member named 'vector' in namespace 'std'"
std::optional<std::string_view> unknown_member_of_std(std::string_view text) {
  if (says(text, "in namespace 'std'")) return between(text, "no member named '", "'");
  return between(text, "namespace \"std\" has no member \"", "\"");
}

}  // namespace

std::optional<std::string_view> unknown_name(std::string_view text) {
  if (says(text, "did you mean")) return std::nullopt;
  constexpr std::pair<std::string_view, std::string_view> kForms[] = {{"use of undeclared identifier '", "'"},
                                                                      {"unknown type name '", "'"},
                                                                      {"no template named '", "'"},
                                                                      {"identifier \"", "\" is undefined"}};
  for (const auto& [before, after] : kForms) {
    if (const auto name = between(text, before, after)) return name;
  }
  return std::nullopt;
}

std::optional<std::string_view> missing_header(std::string_view text) {
  if (const std::size_t end = text.find("' file not found"); end != std::string_view::npos && text.starts_with('\''))
    return text.substr(1, end - 1);
  if (const std::size_t end = text.find(": No such file or directory"); end != std::string_view::npos)
    return text.substr(0, end);
  return between(text, "cannot open source file \"", "\"");
}

std::string help_with_name(const Finding& error, const ErrorSource& source, bool first_of_line) {
  const std::string_view text = error.message;
  if (!source.has(error.where)) return {};
  if (const auto header = missing_header(text)) return help_with_header(*header, error, source);
  if (const auto member = unknown_member_of_std(text)) {
    // What is included works in code of the host alone.
    const bool in_device = source.is_in_device_code(error.where);
    if (in_device && (*member == "cout" || *member == "cerr" || *member == "endl"))
      return std::string(kStreamsAreOfHost);
    if (in_device && (*member == "vector" || *member == "string")) return std::string(kContainersAreOfHost);
    const std::string include = include_for(*member);
    if (include.empty() || in_device) return {};
    return "`std::" + std::string(*member) + "` needs " + include;
  }
  if (text.ends_with("is undefined in device code")) return {};
  std::optional<std::string_view> name = unknown_name(text);
  if (!name && says(text, "has no storage class or type specifier")) {
    // nvcc says no more of "_global_ void add(...)".
    const std::string_view line = without_outer_spaces(source.code_line(error.where));
    const std::string_view word = line.substr(0, end_of_word(line, 0));
    if (word.empty() || near_name(word, error, source).empty()) return {};
    name = word;
  }
  if (!name || !is_identifier(*name)) return {};
  const std::string said = in_backticks(*name);
  if (const std::string include = include_for(*name); !include.empty()) return said + " needs " + include;
  if (const std::string near = near_name(*name, error, source); !near.empty())
    return said + " is not declared here: did you mean " + in_backticks(near) + "?";
  if (!first_of_line || is_named_before(*name, error, source)) return {};
  return "declare " + said + " before this line, in this function or outside of all functions, or correct the name";
}

}  // namespace cudalabs::builder
