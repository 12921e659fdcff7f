// The names of kernels and variables as people read them. A mangled name is a small program: references to earlier
// parts can make the text grow exponentially with its length, so only names that cannot grow far are expanded.
#include <cxxabi.h>

#include <cctype>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "vgpu/exec/program.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu {
namespace {

constexpr std::size_t kLongestMangled = 1024;
constexpr std::size_t kLongestShown = 256;
/// With r references and n letters the text has at most about n 3^(r/3) letters: 7 MB here, and a few hundred in fact.
constexpr std::size_t kMostReferences = 24;

/// How many times the text may refer to an earlier part ("S1_", "T_"); an expansion of a pack counts as many times as
/// could be needed to make it harmless when it is alone.
std::size_t references(std::string_view mangled) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < mangled.size(); ++i) {
    const char letter = mangled[i], following = mangled[i + 1];
    const bool number = std::isdigit(static_cast<unsigned char>(following)) != 0;
    const bool capital = std::isupper(static_cast<unsigned char>(following)) != 0;
    if ((letter == 'S' || letter == 'T') && (following == '_' || number || capital)) ++count;
    if (mangled.substr(i, 2) == "Dp" || mangled.substr(i, 2) == "sp" || mangled.substr(i, 2) == "sP") count += 12;
  }
  return count;
}

bool can_be_expanded(const std::string& mangled) {
  return mangled.size() <= kLongestMangled && references(mangled) <= kMostReferences;
}

std::optional<std::string> demangled(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  if (!name) return std::nullopt;
  return name.get();
}

/// The plain names at the start of a mangled one: "_ZN5outer5innerI..." is outer::inner.
std::string plain_names(std::string_view mangled) {
  std::size_t at = mangled.starts_with("_ZN") ? 3 : 2;
  std::string names;
  while (at < mangled.size() && std::isdigit(static_cast<unsigned char>(mangled[at])) != 0) {
    std::size_t length = 0;
    for (; at < mangled.size() && std::isdigit(static_cast<unsigned char>(mangled[at])) != 0; ++at) {
      length = length * 10 + static_cast<std::size_t>(mangled[at] - '0');
      if (length > mangled.size()) return names;
    }
    if (length > mangled.size() - at) return names;
    if (!names.empty()) names += "::";
    names += mangled.substr(at, length);
    at += length;
  }
  return names;
}

/// Without the parameters, and without the return type that stands before the name of a template.
std::string without_types(std::string name) {
  // The parameter list is the last parenthesis on the outermost level (a name may hold others: "operator()",
  // "(anonymous namespace)").
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == ')') ++depth;
    if (name[i] == '(' && --depth == 0) {
      name.resize(i);
      break;
    }
  }
  depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == '>' || name[i] == ')') ++depth;
    if (name[i] == '<' || name[i] == '(') --depth;
    if (name[i] == ' ' && depth == 0 && !std::string_view(name).substr(0, i).ends_with("operator")) {
      name.erase(0, i + 1);
      break;
    }
  }
  return name;
}

/// The name that the source has for a mangled one: without what the parser and the linker add, and without the file
/// that nvcc adds to static names of code that is linked, as in "__nv_static_12__1f_1_a_cu_2e_name".
std::string name_in_source(std::string_view unique) {
  std::string_view name = ptx::name_in_text(unique);
  constexpr std::string_view kStatic = "__nv_static_";
  if (!name.starts_with(kStatic)) return std::string(name);
  std::string_view rest = name.substr(kStatic.size());
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  if (error != std::errc{} || rest.size() < 3 || length > rest.size() - 3 || rest[length + 1] != '_')
    return std::string(name);
  return std::string(rest.substr(length + 2));
}

/// Without the namespace that nvcc puts around what is a file's own in code that is linked.
std::string without_file(std::string name) {
  const std::size_t scope = name.find("::");
  if (name.starts_with("_INTERNAL_") && scope != std::string::npos) name.erase(0, scope + 2);
  return name;
}

std::string shortened(std::string name) {
  if (name.size() <= kLongestShown) return name;
  std::size_t end = kLongestShown;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;  // not inside a UTF-8 letter
  name.resize(end);
  return name + "…";
}

}  // namespace

std::string display_name(const std::string& unique) {
  const std::string mangled = name_in_source(unique);
  if (!mangled.starts_with("_Z")) return shortened(mangled);
  if (can_be_expanded(mangled)) {
    const auto name = demangled(mangled);
    return shortened(name ? without_file(without_types(*name)) : mangled);
  }
  const std::string names = plain_names(mangled);
  return shortened(names.empty() ? mangled : names);
}

std::string variable_name(const std::string& unique) {
  const std::string mangled = name_in_source(unique);
  if (!mangled.starts_with("_Z") || !can_be_expanded(mangled)) return shortened(mangled);
  const auto name = demangled(mangled);
  if (!name) return shortened(mangled);
  const std::size_t scope = name->rfind("::");  // a variable has no parameters, and so no "::" after its own name
  return shortened(scope == std::string::npos ? *name : name->substr(scope + 2));
}

}  // namespace cudalabs::vgpu
