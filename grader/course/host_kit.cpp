#include "course/host_kit.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <vector>

#include "text/file_text.h"

namespace cudalabs::course {
namespace {

namespace fs = std::filesystem;

constexpr fs::perms kForAll =
    fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read | fs::perms::others_read;
constexpr fs::perms kExecutable = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;

std::map<std::string, std::string> words_for(const Lab& lab) {
  std::string variable = lab.id;
  std::ranges::transform(variable, variable.begin(), [](unsigned char letter) { return std::toupper(letter); });
  std::string uuid = readable_text_of("/proc/sys/kernel/random/uuid");
  while (!uuid.empty() && uuid.back() == '\n') uuid.pop_back();
  return {{"@LAB@", lab.id},        {"@SOURCE@", lab.contract.source},
          {"@TITLE@", lab.title},   {"@POINTS@", fmt::format("{}", lab.max_points())},
          {"@VARIABLE@", variable}, {"@UUID@", uuid}};
}

std::string filled_in(std::string text, const std::map<std::string, std::string>& words) {
  for (const auto& [mark, word] : words) {
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += word.size())
      text.replace(at, mark.size(), word);
  }
  return text;
}

/// Every file beneath `folder`, by its path there, in an archive whose format its name says.
void pack(const fs::path& folder, const fs::path& file) {
  const std::unique_ptr<archive, int (*)(archive*)> writer(archive_write_new(), &archive_write_free);
  const auto check = [&](int result) {
    if (result < ARCHIVE_WARN) throw std::runtime_error(file.string() + ": " + archive_error_string(writer.get()));
  };
  check(file.extension() == ".zip" ? archive_write_set_format_zip(writer.get())
                                   : archive_write_set_format_ustar(writer.get()));
  check(archive_write_open_filename(writer.get(), file.c_str()));
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& path : files) {
    const std::string text = readable_text_of(path);
    const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(), &archive_entry_free);
    archive_entry_set_pathname(entry.get(), path.lexically_relative(folder).c_str());
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(text.size()));
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), static_cast<mode_t>(fs::status(path).permissions()) & 0777);
    check(archive_write_header(writer.get(), entry.get()));
    if (archive_write_data(writer.get(), text.data(), text.size()) != static_cast<la_ssize_t>(text.size()))
      throw std::runtime_error(file.string() + ": " + archive_error_string(writer.get()));
  }
  check(archive_write_close(writer.get()));
}

/// Whether a file begins as all Debian packages do: an archive of ar whose first member says so.
bool is_debian_package(const fs::path& file) {
  constexpr std::string_view kStart = "!<arch>\ndebian-binary";
  std::string start(kStart.size(), '\0');
  std::ifstream stream(file, std::ios::binary);
  return stream.read(start.data(), static_cast<std::streamsize>(start.size())) && start == kStart;
}

void require(const KitParts& parts, const fs::path& out) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(out, error)))
    throw KitError(fmt::format("--out {}: it is there already; name a new folder", out.string()));
  if (parts.package.extension() != ".deb" || !fs::is_regular_file(parts.package, error))
    throw KitError(
        fmt::format("--package {}: there is no such Debian package; `make package` makes it", parts.package.string()));
  if (!is_debian_package(parts.package))
    throw KitError(
        fmt::format("--package {}: this is no Debian package; `make package` makes one", parts.package.string()));
  if (parts.host->for_students_eyes && !parts.package.filename().string().starts_with("cudalabs-student_"))
    throw KitError(fmt::format(
        "--package {}: students can read what is in the repository; use the package cudalabs-student, which has no "
        "solution and no hidden case",
        parts.package.string()));
}

}  // namespace

void make_host_kit(const KitParts& parts, const fs::path& out) {
  require(parts, out);
  const fs::path kit = parts.kits / parts.host->name;
  const auto words = words_for(*parts.lab);
  std::vector<fs::path> to_pack;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kit)) {
    const fs::path target = out / entry.path().lexically_relative(kit);
    if (entry.is_directory()) {
      fs::create_directories(target);
      if (target.extension() == ".d") to_pack.push_back(target);
    } else if (target.filename() == "PACKAGE") {
      fs::create_directories(target.parent_path());
      fs::copy_file(parts.package, target.parent_path() / parts.package.filename());
      fs::copy_file(parts.install_script, target.parent_path() / parts.install_script.filename());
    } else {
      fs::create_directories(target.parent_path());
      const std::string text = filled_in(readable_text_of(entry.path()), words);
      std::ofstream stream(target, std::ios::binary);
      if (!(stream << text).flush()) throw std::runtime_error(target.string() + ": cannot be written");
      stream.close();
      // Scripts can be executed, however the kits were installed.
      if (text.starts_with("#!")) fs::permissions(target, kForAll | kExecutable);
    }
  }
  for (const fs::path& folder : to_pack) {
    pack(folder, folder.parent_path() / folder.stem());
    fs::remove_all(folder);
  }
}

}  // namespace cudalabs::course
