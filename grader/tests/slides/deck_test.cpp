// Regions, quoted code blocks and pictures of decks, and what a deck must be refused for.
#include <filesystem>
#include <fstream>

#include "catch.h"
#include "deck/deck.h"

using namespace cudalabs::deck;

namespace {

constexpr const char* kSource = R"(int before;
  // snippet: kernel
  void kernel() {
    // snippet: body
    work();

    // end snippet
  }
  // end snippet
// snippet: open
int left;
)";

const ReadFile kRead = [](const std::string& path) -> std::string {
  if (path != "a.cu") throw std::runtime_error("no such file");
  return kSource;
};

}  // namespace

TEST_CASE("a region loses its common indentation and inner markers") {
  CHECK(region(kSource, "kernel") == "void kernel() {\n  work();\n\n}\n");
  CHECK(region(kSource, "body") == "work();\n\n");
}

TEST_CASE("a region that is missing, open, empty or there twice is refused") {
  CHECK_THROWS_WITH(region(kSource, "nothing"), "no snippet `nothing`");
  CHECK_THROWS_WITH(region(kSource, "open"), "snippet `open` has no `// end snippet`");
  CHECK_THROWS_WITH(region("// snippet: a\n\n// end snippet\n", "a"), "snippet `a` is empty");
  CHECK_THROWS_WITH(region("// snippet: a\nx\n// end snippet\n// snippet: a\ny\n// end snippet\n", "a"),
                    "snippet `a` is there twice");
}

TEST_CASE("a quoted code block takes the region's present text") {
  const std::string stale = "# A\n<!-- snippet: a.cu body -->\n```cuda\nold\nlines\n```\nafter\n";
  const std::string fresh = "# A\n<!-- snippet: a.cu body -->\n```cuda\nwork();\n\n```\nafter\n";
  CHECK(with_snippets(stale, kRead) == fresh);
  CHECK(with_snippets(fresh, kRead) == fresh);
}

TEST_CASE("a quote that cannot be followed names the deck's line") {
  CHECK_THROWS_WITH(with_snippets("\n<!-- snippet: b.cu body -->\n```\n```\n", kRead), "line 2: b.cu: no such file");
  CHECK_THROWS_WITH(with_snippets("<!-- snippet: a.cu -->\n```\n```\n", kRead),
                    "line 1: expected `<!-- snippet: PATH REGION -->`");
  CHECK_THROWS_WITH(with_snippets("<!-- snippet: a.cu body -->\ntext\n", kRead),
                    "line 1: a snippet comment stands right above its code block");
  CHECK_THROWS_WITH(with_snippets("<!-- snippet: a.cu body -->\n```\nopen\n", kRead),
                    "line 1: the code block has no end");
}

TEST_CASE("only the comments above quoted code go") {
  CHECK(without_snippet_comments("<!-- snippet: a.cu body -->\n```cuda\nx\n```\n<!-- a note -->\n") ==
        "```cuda\nx\n```\n<!-- a note -->\n");
}

TEST_CASE("pictures become data URIs, outside code only") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "cudalabs-deck-test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "p.svg") << "<svg/>";
  const std::string text = with_pictures("![w:400 a](p.svg) and ![b](p.svg)\n```\n![c](p.svg)\n```\n", folder);
  CHECK(text ==
        "![w:400 a](data:image/svg+xml;base64,PHN2Zy8+) and ![b](data:image/svg+xml;base64,PHN2Zy8+)\n```\n"
        "![c](p.svg)\n```\n");
  CHECK_THROWS_AS(with_pictures("![a](missing.svg)\n", folder), DeckError);
  CHECK_THROWS_AS(with_pictures("![a](https://example.org/p.svg)\n", folder), DeckError);
  std::filesystem::remove_all(folder);
}

TEST_CASE("slides are counted by their separators outside code") {
  CHECK(slide_count("---\nmarp: true\n---\n# One\n\n---\n\n# Two\n") == 2);
  CHECK(slide_count("# One\n\n---\n\n# Two\n```\n---\n```\n") == 2);
}
