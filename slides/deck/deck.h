// Keeps a Markdown deck (or handout) true: code blocks come from marked regions of tested files, pictures go inside.
//
// In the Markdown:   <!-- snippet: solutions/lab3_naive_matmul/matmul.cu kernel -->
//                    ```cuda
//                    … the region's text …
//                    ```
// In the source:     // snippet: kernel
//                    …
//                    // end snippet
#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs::deck {

/// Something wrong in a deck or in a file it quotes; `what()` starts with "line N: " of the deck.
class DeckError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Text of a file named in a deck, by its path relative to the project's top folder. Throws std::runtime_error.
using ReadFile = std::function<std::string(const std::string& path)>;

/// The lines between `// snippet: NAME` and `// end snippet`, with their common indentation taken off.
/// Nested regions' marker lines are left out. Throws std::runtime_error when the region is missing, empty, open or
/// twice there.
std::string region(std::string_view source, std::string_view name);

/// `markdown` with the body of every quoted code block replaced by its region's present text.
std::string with_snippets(std::string_view markdown, const ReadFile& read);

/// `markdown` without the comments above its quoted code: a slide tool would show them as the speaker's notes.
std::string without_snippet_comments(std::string_view markdown);

/// `markdown` with every local SVG or PNG picture (`![…](path)`) replaced by a data URI, so that the page built from it
/// needs no other file. Paths are relative to `folder`. Throws DeckError for a picture that is missing or leaves the
/// network.
std::string with_pictures(std::string_view markdown, const std::filesystem::path& folder);

/// Slides are separated by lines of `---`, after the front matter.
std::size_t slide_count(std::string_view markdown);

}  // namespace cudalabs::deck
