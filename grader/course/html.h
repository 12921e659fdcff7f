// Markup in which all text is harmless: what is not made here cannot get in without being escaped.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace cudalabs::course {

class Html {
 public:
  Html() = default;
  /// Text that anybody may have written: control and formatting characters become visible, markup stays text.
  Html(std::string_view text);
  Html(const std::string& text) : Html(std::string_view(text)) {}
  Html(const char* text) : Html(std::string_view(text)) {}

  Html& operator+=(const Html& other) {
    markup_ += other.markup_;
    return *this;
  }
  friend Html operator+(Html one, const Html& other) { return one += other; }

  const std::string& markup() const { return markup_; }
  bool empty() const { return markup_.empty(); }

 private:
  friend Html element(std::string_view tag, const Html& content,
                      std::initializer_list<std::pair<std::string_view, std::string_view>> attributes);
  friend Html page(std::string_view title, const Html& body, std::string_view more_style);
  std::string markup_;
};

/// `tag` and the attributes' names come from this program; their values from anywhere. Links take relative paths alone.
Html element(std::string_view tag, const Html& content,
             std::initializer_list<std::pair<std::string_view, std::string_view>> attributes = {});

/// A sentence in which code stands between backticks.
Html prose(std::string_view text);

/// A whole page: no script, nothing fetched, light or dark as the reader's system is. `more_style`: CSS of this
/// program.
Html page(std::string_view title, const Html& body, std::string_view more_style = {});

/// A path for a link: every byte that means something in an address is encoded.
std::string link_path(std::string_view path);

}  // namespace cudalabs::course
