// As much of Markdown as links, headings and code spans take: the project's pages, not any page.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs::test {

struct Mention {
  std::string text;      // a link's target, or what stands in a code span
  std::size_t line = 0;  // from 1
};

struct Markdown {
  std::vector<Mention> links;        // of links, images and HTML's href and src; titles are cut off
  std::vector<Mention> code_spans;   // `text`, without what stands in code blocks
  std::vector<std::string> anchors;  // of its headings, as code hosts make them
};

Markdown read_markdown(std::string_view text);

/// The anchor of a heading: "What `make` builds" -> "what-make-builds".
std::string anchor_of(std::string_view heading);

}  // namespace cudalabs::test
