// Static pages of a class.
#include "course/pages.h"

#include <fmt/format.h>

#include <cctype>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>

#include "build/digest.h"
#include "report/write_file.h"

namespace cudalabs::course {

namespace fs = std::filesystem;

std::string student_file(std::string_view id) {
  constexpr std::size_t kLongest = 200;  // file systems take 255 bytes
  std::string name;
  for (const unsigned char c : id) {
    const bool plain = std::isalnum(c) != 0 || c == '-' || c == '_' || c == '@' || (c == '.' && !name.empty());
    name += plain ? std::string(1, static_cast<char>(c)) : fmt::format("={:02x}", c);
  }
  if (name.size() > kLongest) name = fmt::format("={}", builder::sha256(id));
  return name + ".html";
}

void write_page(const fs::path& path, const std::string& text) {
  std::ifstream stream(path, std::ios::binary);
  if (stream && std::string(std::istreambuf_iterator<char>(stream), {}) == text) return;
  write_file(path, text);
}

void write_pages(const fs::path& folder, Store& store, const ClassData& data) {
  const fs::path students = folder / "students";
  fs::create_directories(students);
  std::set<std::string> written;
  for (const Student& student : data.students) {
    const std::string name = student_file(student.id);
    write_page(students / name, student_page(data, store, student.id));
    written.insert(name);
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(students)) {
    const fs::path& path = entry.path();
    if (path.extension() == ".html" && !written.contains(path.filename().string())) fs::remove(path);
  }
  write_page(folder / "index.html", index_page(data, store));
}

}  // namespace cudalabs::course
