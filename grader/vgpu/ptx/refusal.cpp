// Device code that the virtual GPU cannot execute: what and where it is, and whether its author has to fix it.
#include "vgpu/ptx/refusal.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "vgpu/check/finding_ids.h"
#include "vgpu/ptx/lexer.h"

namespace cudalabs::vgpu::ptx {

namespace {

constexpr std::uint32_t kNewestMajorVersion = 9;

// The words of a line, and strings without their quotes; the text may be malformed, so the lexer does not do.
std::string_view next_word(std::string_view& line) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t begin = line.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return line = {};
  line.remove_prefix(begin);
  std::size_t end = 0;
  if (line.front() == '"') {
    line.remove_prefix(1);
    end = std::min(line.find('"'), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return word;
  }
  end = std::min(line.find_first_of(kBlank), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

std::uint32_t number(std::string_view word) {
  std::uint32_t value = 0;
  std::from_chars(word.data(), word.data() + word.size(), value);
  return value;
}

bool is_comment(std::string_view line, std::string_view words) {
  const std::size_t slashes = line.find("//");
  return slashes != std::string_view::npos && line.substr(slashes).find(words) != std::string_view::npos &&
         line.find_first_not_of(" \t") == slashes;
}

}  // namespace

Refusal refusal_of(std::string_view text, std::uint32_t line, std::string reason, Defect defect) {
  Refusal refusal{.kernel = {}, .reason = std::move(reason), .where = {}, .defect = defect};
  std::map<std::uint32_t, std::string> files;  // clang names them at the end of the module
  std::uint32_t file = 0;
  bool in_assembly = false;
  bool has_comments = false, is_newer = false;
  std::uint32_t number_of_line = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view rest = text.substr(begin, end - begin);
    begin = end + 1;
    ++number_of_line;
    if (number_of_line <= line) {
      if (is_comment(rest, "begin inline asm")) in_assembly = true;
      if (is_comment(rest, "end inline asm")) in_assembly = false;
    }
    has_comments = has_comments || rest.find("//") != std::string_view::npos;
    const std::string_view directive = next_word(rest);
    if (directive == ".version") {
      is_newer = number(next_word(rest)) > kNewestMajorVersion;
    } else if (directive == ".file") {
      const std::uint32_t index = number(next_word(rest));
      std::string name = unescaped(next_word(rest));
      if (rest.find('"') != std::string_view::npos) {  // a folder, and the file in it
        const std::string in_folder = unescaped(next_word(rest));
        name = in_folder.starts_with('/') ? in_folder : name + '/' + in_folder;
      }
      files.try_emplace(index, std::move(name));
    } else if (directive == ".loc" && number_of_line <= line) {
      file = number(next_word(rest));
      refusal.where.line = number(next_word(rest));
      refusal.where.column = number(next_word(rest));
    }
  }
  if (const auto found = files.find(file); found != files.end() && refusal.where.known()) {
    refusal.where.file = found->second;
  } else {
    refusal.where = {};
  }
  // nvcc's fat binaries hold the text without comments. Compilers write what the ISA of its version says, and that is
  // known here up to a version.
  const bool by_hand = has_comments ? in_assembly : !is_newer;
  refusal.is_authors = defect == Defect::undefined_function || defect == Defect::undefined_variable ||
                       defect == Defect::textures || (defect == Defect::malformed && by_hand);
  return refusal;
}

std::string describe(const Refusal& refusal) {
  std::string text = refusal.kernel.empty() ? "device code" : "`" + refusal.kernel + "`";
  text += " cannot be executed: " + refusal.reason;
  if (refusal.where.known()) text += ", from " + refusal.where.file + ":" + std::to_string(refusal.where.line);
  return text;
}

Finding finding_of(const Refusal& refusal) {
  Finding finding;
  finding.id = finding_ids::kBuildFailed;
  finding.where = refusal.where;
  finding.kernel = refusal.kernel;
  finding.note = refusal.reason;
  if (refusal.defect == Defect::textures) {
    finding.id = finding_ids::kUnsupportedCall;
    finding.message = "this question about a texture or surface is not supported here";
    finding.help = "pass what the kernel has to know as a parameter";
  } else if (refusal.defect == Defect::undefined_function) {
    finding.message = "the kernel calls a function that is declared, but defined nowhere";
    finding.help = "define the function in the file you hand in, or correct its name";
  } else if (refusal.defect == Defect::undefined_variable) {
    finding.message = "the kernel uses a variable that is declared, but defined nowhere";
    finding.help = "define the variable in one file, or correct its name";
  } else {
    finding.message = "the inline assembly here is not PTX: no assembler accepts it";
    finding.help = "look the instruction up in the PTX ISA, or write it in CUDA C++";
  }
  return finding;
}

}  // namespace cudalabs::vgpu::ptx
