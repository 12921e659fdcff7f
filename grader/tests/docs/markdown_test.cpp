// The reader of Markdown that the tests of the pages stand on, and what those must object to.
#include "markdown.h"

#include <fstream>

#include "catch.h"
#include "pages.h"
#include "sandbox/temporary_folder.h"

using namespace cudalabs;
using namespace cudalabs::test;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> texts(const std::vector<Mention>& mentions) {
  std::vector<std::string> result;
  for (const Mention& mention : mentions) result.push_back(mention.text);
  return result;
}

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

}  // namespace

TEST_CASE("links are found where Markdown has them, with their lines") {
  const Markdown page = read_markdown(
      "# A page\n\nSee [one](one.md), ![a\nfigure](figures/two.svg \"title\") and\n<img src=\"three.png\">.\n\n"
      "    [no](link.md)\n\n```\n[nor](this.md)\n```\n`[nor](that.md)` [four](#a-page)\n");
  CHECK(texts(page.links) == std::vector<std::string>{"one.md", "figures/two.svg", "three.png", "#a-page"});
  CHECK(page.links[0].line == 3);
  CHECK(page.links[1].line == 4);
  CHECK(page.links[3].line == 12);
}

TEST_CASE("a list's second paragraph is no code block") {
  const Markdown page = read_markdown("- an item\n\n    with [a link](a.md)\n\ntext\n\n    [code](b.md)\n");
  CHECK(texts(page.links) == std::vector<std::string>{"a.md"});
}

TEST_CASE("code spans are found, those over two lines and those with backticks in them as well") {
  const Markdown page = read_markdown("`a.cpp`, ``b`c``, `d\ne` and `f`\n");
  CHECK(texts(page.code_spans) == std::vector<std::string>{"a.cpp", "b`c", "d\ne", "f"});
}

TEST_CASE("headings get the anchors that code hosts give them") {
  CHECK(anchor_of("What `make` builds, and how") == "what-make-builds-and-how");
  CHECK(anchor_of("`[[checks]]`") == "checks");
  CHECK(anchor_of("A [link](there.md) in it") == "a-link-in-it");
  CHECK(read_markdown("# One\n## One\n#none\n").anchors == std::vector<std::string>{"one", "one-1"});
}

TEST_CASE("what leads nowhere is named with its page and line") {
  const sandbox::TemporaryFolder folder;
  const fs::path root = folder.path();
  write(root / "README.md",
        "# Top\n\n[page](docs/PAGE.md#one) [no page](docs/NONE.md) [no heading](docs/PAGE.md#two) [up](#top)\n"
        "[outside](https://example.org/x) `grader/cli/main.cpp` `grader/cli/none.cpp` `cli/main.cpp` `cli/none.cpp`\n"
        "`main.cpp` `none.cpp` `grader/*/main.cpp` `labs/LAB/lab.toml` `labs/LAB/none.toml` `x / y`\n");
  write(root / "docs/PAGE.md", "# One\n\n[back](../README.md) [figure](figure.svg)\n");
  write(root / "grader/cli/main.cpp", "");
  write(root / "labs/lab1_x/lab.toml", "");
  write(root / "labs/lab1_x/README.md", "`mine.cu`\n");
  write(root / "build/README.md", "[dead](dead.md)\n");
  CHECK(dead_links(root) == std::vector<std::string>{"README.md:3: `docs/NONE.md` leads to no file",
                                                     "README.md:3: `docs/PAGE.md#two` leads to no heading",
                                                     "docs/PAGE.md:3: `figure.svg` leads to no file"});
  CHECK(missing_files(root) == std::vector<std::string>{"README.md:4: `grader/cli/none.cpp` is not there",
                                                        "README.md:4: `cli/none.cpp` is not in grader/",
                                                        "README.md:5: `none.cpp` is no file's name",
                                                        "README.md:5: `labs/LAB/none.toml` is not there"});
}
