// Laying text out.
#include <filesystem>
#include <fstream>

#include "catch.h"
#include "report/compact_finding.h"
#include "report/layout.h"
#include "report/printable.h"
#include "report/source_text.h"

using namespace cudalabs;

TEST_CASE("width counts characters, not bytes or combining marks") {
  CHECK(display_width("größe") == 5);
  CHECK(display_width("e\xcc\x81") == 1);
  CHECK(fit("größe", 3) == "grö");
  CHECK(fit("ab", 5) == "ab");
}

TEST_CASE("text is wrapped at spaces") {
  CHECK(wrap("one two three", 8) == std::vector<std::string>{"one two", "three"});
  CHECK(wrap("one two", 7) == std::vector<std::string>{"one two"});
  CHECK(wrap("", 7) == std::vector<std::string>{""});
  CHECK(wrap("a\n\nb", 7) == std::vector<std::string>{"a", "", "b"});
}

TEST_CASE("a long word stays whole, an indentation is kept") {
  CHECK(wrap("see /a/very/long/path now", 8) == std::vector<std::string>{"see", "/a/very/long/path", "now"});
  CHECK(wrap("  one two", 6) == std::vector<std::string>{"  one", "  two"});
}

TEST_CASE("short code between backticks is not broken") {
  CHECK(wrap("now let it be `if (i < n)` so", 24) == std::vector<std::string>{"now let it be", "`if (i < n)` so"});
  CHECK(wrap("`a very long piece of code`", 10) == std::vector<std::string>{"`a very", "long piece", "of code`"});
  CHECK(wrap("a lone ` is no code", 12) == std::vector<std::string>{"a lone ` is", "no code"});
}

TEST_CASE("text that is cut to some rows ends with a whole word") {
  CHECK(wrap_to_rows("one two three four", 12, 1) == std::vector<std::string>{"one two ..."});
  CHECK(wrap_to_rows("one two seven eleven", 13, 1) == std::vector<std::string>{"one two ..."});
  CHECK(wrap_to_rows("one twotwotwo three", 13, 1) == std::vector<std::string>{"one ..."});
  CHECK(wrap_to_rows("twotwotwotwo three", 12, 1) == std::vector<std::string>{"twotwotw ..."});
  CHECK(wrap_to_rows("one two", 12, 1) == std::vector<std::string>{"one two"});
}

TEST_CASE("what is cut is marked") {
  CHECK(shorten("abcdef", 6) == "abcdef");
  CHECK(shorten("abcdefg", 6) == "abc...");
  CHECK(excerpt("a\nb\n", 2, 10) == "a\nb");
  CHECK(excerpt("a\nb\nc\nd\n", 2, 10) == "a\nb\n... (2 more lines)");
  CHECK(excerpt("", 2, 10).empty());
}

TEST_CASE("tabs reach the next multiple of four") {
  CHECK(expand_tabs("\tx") == "    x");
  CHECK(expand_tabs("ab\tx\ty") == "ab  x   y");
  CHECK(expand_tabs("plain") == "plain");
}

TEST_CASE("only files that were added have lines") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "cudalabs_source_text_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "m.cu") << "first\nsecond\n";
  std::ofstream(folder / "windows.cu") << "first\r\n\r\nlast\r";
  FileSources sources;
  sources.add("m.cu", folder / "m.cu");
  sources.add("folder", folder);
  CHECK(sources.line("m.cu", 2) == "second");
  CHECK(sources.line_count("m.cu") == 2);
  CHECK(sources.line_count("never added") == 0);
  // An editor on Windows ends lines with two characters.
  sources.add("windows.cu", folder / "windows.cu");
  sources.add_text("text.cu", "first\r\n\r\nlast\r");
  for (const char* name : {"windows.cu", "text.cu"}) {
    CHECK(sources.line(name, 1) == "first");
    CHECK(sources.line(name, 2).empty());
    CHECK(sources.line(name, 3) == "last");
  }
  CHECK(sources.line("m.cu", 0).empty());
  CHECK(sources.line("m.cu", 3).empty());
  CHECK(sources.line((folder / "m.cu").string(), 1).empty());
  CHECK(sources.line("/etc/passwd", 1).empty());
  CHECK(sources.line("folder", 1).empty());
  std::filesystem::remove_all(folder);
}
