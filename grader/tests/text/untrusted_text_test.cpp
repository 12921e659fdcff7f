// Making text harmless.
#include "text/untrusted_text.h"

#include "catch.h"
#include "text/markup_escape.h"

using namespace cudalabs;

TEST_CASE("ordinary text stays as it is") {
  CHECK(printable("a\tb\nc") == "a\tb\nc");
  CHECK(printable("Größe · 3×4 ≤ 12 🙂") == "Größe · 3×4 ≤ 12 🙂");
  CHECK(printable("").empty());
}

TEST_CASE("control characters become visible") {
  CHECK(printable("\x1b[31m") == "\\x1b[31m");
  CHECK(printable(std::string("a\0b", 3)) == "a\\x00b");
  CHECK(printable("\x07\x08\x7f") == "\\x07\\x08\\x7f");
  CHECK(printable("\xc2\x9b") == "\\u{9b}");
}

TEST_CASE("a carriage return is part of a line end or visible") {
  CHECK(printable("a\r\nb") == "a\nb");
  CHECK(printable("score 0\rscore 100") == "score 0\\x0dscore 100");
  CHECK(printable("a\r") == "a\\x0d");
}

TEST_CASE("bytes that are not UTF-8 become visible one by one") {
  CHECK(printable("\x80") == "\\x80");
  CHECK(printable("\xff\xfe") == "\\xff\\xfe");
  CHECK(printable("\xc3") == "\\xc3");                             // cut off
  CHECK(printable("\xc3(") == "\\xc3(");                           // no continuation
  CHECK(printable("\xc0\xaf") == "\\xc0\\xaf");                    // overlong
  CHECK(printable("\xe0\x80\xaf") == "\\xe0\\x80\\xaf");           // overlong
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // surrogate
  CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
  CHECK(printable("\xf5\x80\x80\x80") == "\\xf5\\x80\\x80\\x80");
}

TEST_CASE("characters that hide or reorder text become visible") {
  CHECK(printable("\xe2\x80\xae") == "\\u{202e}");  // right-to-left override
  CHECK(printable("\xe2\x81\xa6") == "\\u{2066}");  // isolate
  CHECK(printable("\xe2\x80\x8b") == "\\u{200b}");  // zero-width space
  CHECK(printable("\xef\xbb\xbf") == "\\u{feff}");
  CHECK(printable("\xef\xbf\xbf") == "\\u{ffff}");  // noncharacter
}

TEST_CASE("printable text is a fixed point") {
  std::string every;
  for (int byte = 0; byte < 256; ++byte) every += static_cast<char>(byte);
  CHECK(printable(printable(every)) == printable(every));
}

TEST_CASE("one line has no line ends") {
  CHECK(printable_line("a\nb\tc") == "a b c");
}

TEST_CASE("a code point says how many bytes it has, or that it is none") {
  CHECK(decode_utf8("\xf0\x9f\x99\x82!").value == 0x1F642);
  CHECK(decode_utf8("\xf0\x9f\x99\x82!").bytes == 4);
  CHECK_FALSE(decode_utf8("\xf0\x9f\x99").valid);
  CHECK(decode_utf8("\xf0\x9f\x99").bytes == 1);
}

TEST_CASE("a text is UTF-8 to its last byte") {
  CHECK(is_utf8(""));
  CHECK(is_utf8("größe"));
  CHECK_FALSE(is_utf8("size\xc3"));
}

TEST_CASE("markup in a text stays text") {
  CHECK(escaped_markup("<a href=\"x\">'&amp;'</a>]]>") ==
        "&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;&#39;&lt;/a&gt;]]&gt;");
  CHECK(escaped_markup("plain") == "plain");
}
