// A class made up of a lab's own samples.
#include "class_of_samples.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <stdexcept>

#include "course/similar/extract.h"
#include "course/similar/pieces.h"
#include "tree/tree_paths.h"

namespace cudalabs::test {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw std::runtime_error(path.string() + " cannot be read");
  return text;
}

std::vector<fs::path> sources_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".cu") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

}  // namespace

std::string renamed(const std::string& source) {
  static const std::regex kDeclared(
      R"(\b(?:int|float|double|bool|T|dim3|size_t|unsigned|cudaError_t)(?:\s*[*&]+\s*|\s+)(?:__restrict__\s+)?([a-z_]\w*)\b(?!\s*\())");
  // The words that a type of several words goes on with: "unsigned long long total" declares no `long`.
  static const std::set<std::string> kWords{"char", "const", "double", "int", "long", "short", "unsigned"};
  std::set<std::string> names;
  for (std::sregex_iterator each(source.begin(), source.end(), kDeclared), end; each != end; ++each) {
    const std::string name = (*each)[1];
    if (!kWords.contains(name) && !name.starts_with("quiz_"))
      names.insert(name);  // the quiz's names are the contract's
  }
  std::string result = source;
  for (const std::string& name : names)
    result = std::regex_replace(result, std::regex("([^.>\\w\"])" + name + "\\b(?!\")"), "$1my_" + name);
  return result;
}

std::string with_other_comments(const std::string& source) {
  const std::string plain = std::regex_replace(source, std::regex("//[^\n]*"), "");
  return "/* my own\n * work */\n" + std::regex_replace(plain, std::regex("\\{\n"), "{  // begin\n\n");
}

SampleClass class_of_samples(const std::string& id) {
  const fs::path root = source_path();
  SampleClass result{.lab = read_lab(find_lab(root / "labs", id), root / "solutions"),
                     .names = {},
                     .planted = {},
                     .texts = {},
                     .given = {},
                     .pieces = {}};
  const fs::path samples = result.lab.solution_folder;
  result.names.push_back("solution");
  result.texts.push_back(read(samples / result.lab.contract.source));
  for (const fs::path& path : sources_in(samples / "alternative")) {
    result.names.push_back(path.stem().string());
    result.texts.push_back(read(path));
  }
  const auto plant = [&](const std::string& original, const std::string& how, const std::string& text) {
    result.names.push_back(original + "." + how);
    result.planted.push_back({original, how});
    result.texts.push_back(text);
  };
  const std::size_t independent = result.names.size();
  for (std::size_t i = 1; i < independent; i += 3) {
    const std::string name = result.names[i], text = result.texts[i];
    plant(name, "renamed", renamed(text));
    plant(name, "comments", with_other_comments(text));
  }
  for (const fs::path& path : sources_in(root / "grader/tests/similar/planted")) {
    const std::string stem = path.stem().string();
    if (!stem.starts_with(id + ".")) continue;
    const std::size_t dot = stem.rfind('.');
    plant(stem.substr(id.size() + 1, dot - id.size() - 1), stem.substr(dot + 1), read(path));
  }
  const Toolchain toolchain = find_toolchain(Frontend::clang).value();
  const std::string tokenizer = similar::find_tokenizer();
  const auto piece = [&](const std::string& text) {
    return similar::piece_of(similar::extract(result.lab, toolchain, tokenizer, text), result.lab);
  };
  result.given = piece(read(result.lab.folder / result.lab.contract.source));
  for (const std::string& text : result.texts) result.pieces.push_back(piece(text));
  return result;
}

}  // namespace cudalabs::test
