// What was handed in, read from folders and archives; and what must not come in.
#include "course/source_tree.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "catch.h"
#include "course/entry_path.h"
#include "packed.h"
#include "sandbox/temporary_folder.h"

using namespace cudalabs::course;
using namespace cudalabs::test;
using cudalabs::sandbox::TemporaryFolder;

namespace {

/// "a/b.cu" of every file, sorted; those that were not kept in brackets.
std::vector<std::string> names(const SourceTree& tree) {
  std::vector<std::string> names;
  for (const TreeFile& file : tree.files)
    names.push_back(file.kept ? joined(file.path) : "[" + joined(file.path) + "]");
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> refusals(const SourceTree& tree) {
  std::vector<std::string> all;
  for (const Refused& refused : tree.refused) all.push_back(joined(refused.path) + ": " + refused.reason);
  std::ranges::sort(all);
  return all;
}

SourceTree read_packed(const std::string& bytes, const TreeLimits& limits = {}) {
  const TemporaryFolder folder;
  return read_source_tree(folder.write("all.zip", bytes), limits);
}

using Names = std::vector<std::string>;

const TreeLimits kSmall{.entries = 100,
                        .entries_of_archive = 20,
                        .bytes = 64u << 20,
                        .bytes_of_archive = 16u << 20,
                        .kept_bytes = 8u << 20,
                        .packed_bytes = 1u << 20,
                        .ratio = 50,
                        .ratio_free_bytes = 1u << 20,
                        .nested = 3};

}  // namespace

TEST_CASE("every kind of archive is read") {
  for (const Packing packing : {Packing::zip, Packing::tar, Packing::tar_gz, Packing::tar_xz, Packing::tar_zst}) {
    CAPTURE(static_cast<int>(packing));
    const SourceTree tree = read_packed(packed(packing, {{"ada/", ""}, {"ada/m.cu", "text"}, {"ada/report.pdf", "x"}}));
    CHECK(names(tree) == Names{"[ada/report.pdf]", "ada/m.cu"});
    CHECK(refusals(tree).empty());
    const auto source = std::ranges::find_if(tree.files, &TreeFile::kept);
    CHECK(source->bytes == "text");
    CHECK(source->time == 1'700'000'000);
  }
}

TEST_CASE("a folder is read, links and pipes are not followed") {
  const TemporaryFolder folder, elsewhere;
  elsewhere.write("secret.cu", "secret");
  folder.write("ada/m.cu", "text");
  folder.write("ada/.git/config", "x");
  folder.write("__MACOSX/ada/._m.cu", "x");
  std::filesystem::create_symlink(elsewhere.path() / "secret.cu", folder.path() / "link.cu");
  std::filesystem::create_directory_symlink(elsewhere.path(), folder.path() / "links");
  std::filesystem::create_symlink("/dev/zero", folder.path() / "ada" / "zero.cu");
  REQUIRE(mkfifo((folder.path() / "pipe.cu").c_str(), 0600) == 0);
  const SourceTree tree = read_source_tree(folder.path());
  CHECK(names(tree) == Names{"ada/m.cu"});
  CHECK(refusals(tree) == Names{"ada/zero.cu: it is a link", "link.cu: it is a link", "links: it is a link",
                                "pipe.cu: it is neither a file nor a folder"});
  CHECK(tree.clones == std::vector<std::vector<std::string>>{{"ada"}});
}

TEST_CASE("links in archives are refused") {
  const SourceTree tree = read_packed(
      packed(Packing::tar,
             {{"m.cu", "text"}, {"s.cu", "", "/etc/passwd"}, {"h.cu", "", "", "m.cu"}, {"d.cu", "", "../m.cu"}}));
  CHECK(names(tree) == Names{"m.cu"});
  CHECK(refusals(tree) == Names{"d.cu: it is a link", "h.cu: it is a link", "s.cu: it is a link"});
  const SourceTree zip = read_packed(packed(Packing::zip, {{"s.cu", "", "/etc/passwd"}, {"m.cu", "x"}}));
  CHECK(refusals(zip) == Names{"s.cu: it is a link"});
}

TEST_CASE("paths that lead elsewhere are refused") {
  const SourceTree tree = read_packed(packed(Packing::tar, {{"../up.cu", "x"},
                                                            {"/abs.cu", "x"},
                                                            {"a/../../b.cu", "x"},
                                                            {"C:/c.cu", "x"},
                                                            {"a\\..\\d.cu", "x"},
                                                            {"ok\\e.cu", "x"},
                                                            {"bell\a.cu", "x"},
                                                            {std::string(300, 'n') + ".cu", "x"}}));
  CHECK(names(tree) == Names{"ok/e.cu"});
  CHECK(refusals(tree) == Names{"?: its name has control characters in it", "?: its name is longer than 255 bytes",
                                "?: its path is absolute", "?: its path is absolute",
                                "?: its path leads out of its folder", "?: its path leads out of its folder",
                                "?: its path leads out of its folder"});
  std::string deep;
  for (int i = 0; i < 40; ++i) deep += "d/";
  CHECK(refusals(read_packed(packed(Packing::tar, {{deep + "m.cu", "x"}, {"m.cu", "x"}}))) ==
        Names{"?: it lies more than 32 folders deep"});
}

TEST_CASE("archives in archives become folders, down to a limit") {
  const std::string inner = packed(Packing::zip, {{"m.cu", "text"}});
  const std::string middle = packed(Packing::tar_gz, {{"in.zip", inner}});
  const std::string outer = packed(Packing::zip, {{"ada.tar.gz", middle}, {"bob.zip", inner}});
  const SourceTree tree = read_packed(outer);
  CHECK(names(tree) == Names{"ada/in/m.cu", "bob/m.cu"});
  CHECK(refusals(read_packed(packed(Packing::zip, {{"more.zip", outer}}))) ==
        Names{"more/ada/in: archives lie in archives, more than 3 deep"});
}

TEST_CASE("a student's archive that is no good costs that archive alone") {
  const std::string good = packed(Packing::zip, {{"m.cu", "text"}});
  std::string cut = packed(Packing::tar_gz, {{"m.cu", std::string(5000, 'x')}});
  cut.resize(cut.size() / 2);
  const SourceTree tree =
      read_packed(packed(Packing::zip, {{"ada.zip", good}, {"bob.zip", "no archive at all"}, {"eve.tar.gz", cut}}));
  CHECK(names(tree) == Names{"ada/m.cu"});
  REQUIRE(tree.refused.size() == 2);
  CHECK(refusals(tree)[0].starts_with("bob: this archive cannot be read: "));
  CHECK(refusals(tree)[1].starts_with("eve: this archive cannot be read: "));
}

TEST_CASE("bombs are refused: by size, by ratio, by count") {
  const std::string zeros(12u << 20, '\0');
  const auto refused = [](const std::string& inner) {
    const SourceTree tree = read_packed(packed(Packing::zip, {{"ada.zip", inner}, {"m.cu", "x"}}), kSmall);
    CHECK(names(tree) == Names{"m.cu"});
    return refusals(tree);
  };
  CHECK(refused(packed(Packing::zip, {{"a.cu", zeros}})) ==
        Names{"ada: this archive unpacks to more than 50 times its size"});
  // What nobody wants to keep counts as well: a compressed tar has to be unpacked to get past it.
  CHECK(refused(packed(Packing::tar_gz, {{"a.bin", zeros}})) ==
        Names{"ada: this archive unpacks to more than 50 times its size"});
  std::vector<PackedEntry> many;
  for (int i = 0; i < 30; ++i) many.push_back({"f" + std::to_string(i) + ".cu", "x"});
  CHECK(refused(packed(Packing::zip, many)) == Names{"ada: this archive holds more than 20 files"});
  TreeLimits roomy = kSmall;
  roomy.ratio = 100'000;
  const SourceTree large = read_packed(
      packed(Packing::zip, {{"ada.tar.gz", packed(Packing::tar_gz, {{"a.bin", zeros}, {"b.bin", zeros}})}}), roomy);
  CHECK(refusals(large) == Names{"ada: this archive holds more than 16 MiB"});
  const SourceTree heavy = read_packed(packed(Packing::tar, {{"ada.zip", std::string(2u << 20, 'x')}}), kSmall);
  CHECK(refusals(heavy) == Names{"ada.zip: this archive is larger than 1 MiB"});
}

TEST_CASE("archives in a student's archive count with it") {
  TreeLimits roomy = kSmall;
  roomy.ratio = 100'000;
  const std::string inner = packed(Packing::zip, {{"a.cu", "x"}, {"a.bin", std::string(6u << 20, '\0')}});
  const auto refused = [&](const std::vector<PackedEntry>& entries) {
    const SourceTree tree =
        read_packed(packed(Packing::zip, {{"ada.tar", packed(Packing::tar, entries)}, {"bob.zip", inner}}), roomy);
    CHECK(names(tree) == Names{"[bob/a.bin]", "bob/a.cu"});
    REQUIRE(tree.refused.size() == 1);
    return refusals(tree)[0];
  };
  CHECK(refused({{"1.zip", inner}, {"2.zip", inner}, {"3.zip", inner}, {"4.bin", std::string(100'000, 'x')}})
            .starts_with("ada: this archive holds more than 16 MiB"));
  std::vector<PackedEntry> many;
  for (int i = 0; i < 12; ++i) many.push_back({std::to_string(i) + ".zip", packed(Packing::zip, {{"a.cu", "x"}})});
  CHECK(refused(many) == "ada: this archive holds more than 20 files");
}

TEST_CASE("the outermost archive over a limit is refused as a whole") {
  std::vector<PackedEntry> many;
  for (int i = 0; i < 120; ++i) many.push_back({"f" + std::to_string(i) + ".cu", "x"});
  CHECK_THROWS_WITH(read_packed(packed(Packing::zip, many), kSmall),
                    cudalabs::contains_text("more than 100 files and folders"));
  CHECK_THROWS_WITH(read_packed("not packed"), cudalabs::contains_text("this archive cannot be read"));
  CHECK_THROWS_AS(read_source_tree("/nowhere/at/all"), TreeError);
  CHECK_THROWS_WITH(read_source_tree("/dev/null"), cudalabs::contains_text("neither a folder nor an archive"));
}

TEST_CASE("a source that is too long is cut where its grading can tell") {
  const std::string text((1u << 20) + 500, 'x');
  for (const Packing packing : {Packing::tar, Packing::zip}) {
    const SourceTree tree = read_packed(packed(packing, {{"m.cu", text}, {"n.cu", "y"}}));
    REQUIRE(tree.files.size() == 2);
    CHECK(tree.files[0].bytes.size() == (1u << 20) + 1);
    CHECK(tree.files[1].bytes == "y");
  }
  const TemporaryFolder folder;
  folder.write("m.cu", text);
  CHECK(read_source_tree(folder.path()).files[0].bytes.size() == (1u << 20) + 1);
}
