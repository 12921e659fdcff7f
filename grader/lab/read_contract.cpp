// The files of a lab or a baseline, from its [contract].
#include "lab/read_contract.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "text/code_scan.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

/// A file of the lab's own folder: a plain name (it becomes a compiler argument), and it is there.
std::string file_name(TableReader& reader, const Placed<std::string>& text, std::string_view key,
                      const fs::path& folder) {
  const bool plain =
      std::isalpha(static_cast<unsigned char>(text.value[0])) &&
      std::ranges::all_of(text.value, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; });
  if (!plain) {
    reader.fail(text.line,
                fmt::format("`{}` is \"{}\": it must be a plain file name in the lab's folder", key, text.value));
  }
  if (!fs::is_regular_file(folder / text.value)) {
    reader.fail(text.line, fmt::format("`{}` names \"{}\", which is not in the lab's folder", key, text.value));
  }
  return text.value;
}

}  // namespace

Contract read_contract(TableReader reader, const std::filesystem::path& folder) {
  Contract contract;
  contract.header = file_name(reader, reader.text("header"), "header", folder);
  contract.source = file_name(reader, reader.text("source"), "source", folder);
  contract.runner = file_name(reader, reader.text_or("runner", contract.runner), "runner", folder);
  for (const Placed<std::string>& function : reader.texts("functions")) {
    if (!is_identifier(function.value)) {
      reader.fail(function.line,
                  fmt::format("`functions` holds \"{}\", which is not a function's name", function.value));
    }
    contract.functions.push_back(function.value);
  }
  reader.finish();
  return contract;
}

}  // namespace cudalabs
