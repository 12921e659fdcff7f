// Markup in which all text is harmless: what is not made here cannot get in without being escaped.
#pragma once

#include <string>
#include <string_view>

namespace cudalabs::page {

/// `text`, which may come from a submission, for an element or for an attribute in quotes: control and formatting
/// characters become visible, markup stays text.
std::string escaped(std::string_view text);

/// Finished markup, as a template takes it in with three braces.
class Markup {
 public:
  Markup() = default;
  /// Markup that this program has made by itself: a template, a style sheet, a drawing whose text is escaped.
  static Markup made_here(std::string markup);
  /// A sentence in which code stands between backticks.
  static Markup prose(std::string_view text);

  const std::string& text() const { return markup_; }
  bool empty() const { return markup_.empty(); }

 private:
  explicit Markup(std::string markup) : markup_(std::move(markup)) {}
  std::string markup_;
};

}  // namespace cudalabs::page
