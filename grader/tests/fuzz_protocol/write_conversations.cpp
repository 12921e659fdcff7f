// Writes the conversations that the fuzz target begins with, one a file, and the list of the files, as libFuzzer wants
// it: write_conversations FOLDER LIST.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "conversations.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  std::string list;
  for (const auto& conversation : cudalabs::vgpu::fuzz::conversations()) {
    const std::filesystem::path path = folder / conversation.name;
    std::ofstream file(path, std::ios::binary);
    if (!(file << conversation.said.bytes()).flush()) {
      std::cerr << "cannot write " << path << '\n';
      return 1;
    }
    if (!list.empty()) list += ',';
    list += path.string();
  }
  return (std::ofstream(argv[2], std::ios::binary) << list).flush() ? 0 : 1;
}
