#include "markdown.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace cudalabs::test {
namespace {

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

/// The target of "(target)" or "(target "title")" that begins at `at`, behind its parenthesis; empty when it has no
/// end.
std::string target_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  for (int depth = 1; end < text.size(); ++end) {
    if (text[end] == '(') ++depth;
    if (text[end] == ')' && --depth == 0) break;
  }
  if (end == text.size()) return {};
  std::string_view target = text.substr(at, end - at);
  target = target.substr(0, target.find_first_of(" \n"));
  if (target.size() >= 2 && target.front() == '<' && target.back() == '>') target = target.substr(1, target.size() - 2);
  return std::string(target);
}

/// Takes paragraphs in, and finds what is in them.
class Reader {
 public:
  Markdown read(std::string_view text) {
    std::size_t number = 0;
    bool after_blank = true;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      ++number;
      const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
      const std::string_view rest = line.substr(indent);
      const bool blank = is_blank(line);
      const bool fence = rest.starts_with("```") || rest.starts_with("~~~");
      if (fence) in_fence_ = !in_fence_;
      if (fence || (blank && !in_fence_)) flush();
      if (!fence && !blank && !in_fence_ && !is_code(indent, after_blank)) add_line(line, rest, indent == 0, number);
      // An indented code block goes on until a line that is not indented.
      after_blank = blank || (after_blank && is_code(indent, after_blank));
    }
    flush();
    return std::move(result_);
  }

 private:
  bool is_code(std::size_t indent, bool after_blank) const { return indent >= 4 && after_blank && !in_list_; }

  void add_line(std::string_view line, std::string_view rest, bool outermost, std::size_t number) {
    const bool item = rest.starts_with("- ") || rest.starts_with("* ") ||
                      (!rest.empty() && std::isdigit(static_cast<unsigned char>(rest.front())) != 0);
    if (item || outermost) in_list_ = item;
    if (line.starts_with('#')) heading(line);
    if (paragraph_.empty()) first_line_ = number;
    paragraph_.append(line).push_back('\n');
  }

  void heading(std::string_view line) {
    const std::size_t level = line.find_first_not_of('#');
    if (level == std::string_view::npos || line[level] != ' ') return;
    std::string anchor = anchor_of(line.substr(level + 1));
    const int earlier = headings_[anchor]++;
    if (earlier > 0) anchor.append("-").append(std::to_string(earlier));
    result_.anchors.push_back(std::move(anchor));
  }

  std::size_t line_at(std::size_t at) const {
    return first_line_ + static_cast<std::size_t>(std::count(
                             paragraph_.begin(), paragraph_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  }

  void flush() {
    const std::string_view text = paragraph_;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '`') {
        const std::size_t ticks = std::min(text.find_first_not_of('`', at), text.size()) - at;
        const std::size_t end = text.find(std::string(ticks, '`'), at + ticks);
        if (end == std::string_view::npos) break;
        result_.code_spans.push_back({std::string(text.substr(at + ticks, end - at - ticks)), line_at(at)});
        at = end + ticks - 1;
      } else if (text.substr(at).starts_with("](")) {
        add_link(target_at(text, at + 2), at);
      } else if (text.substr(at).starts_with("href=\"") || text.substr(at).starts_with("src=\"")) {
        const std::size_t begin = text.find('"', at) + 1;
        add_link(std::string(text.substr(begin, text.find('"', begin) - begin)), at);
      }
    }
    paragraph_.clear();
  }

  void add_link(std::string target, std::size_t at) {
    if (!target.empty()) result_.links.push_back({std::move(target), line_at(at)});
  }

  Markdown result_;
  bool in_fence_ = false, in_list_ = false;
  std::string paragraph_;
  std::size_t first_line_ = 0;
  std::map<std::string, int> headings_;
};

}  // namespace

std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (std::size_t at = 0; at < heading.size(); ++at) {
    const char c = heading[at];
    const auto byte = static_cast<unsigned char>(c);
    if (heading.substr(at).starts_with("](")) {  // of a link, only its text counts
      at = std::min(heading.find(')', at), heading.size());
    } else if (c == ' ') {
      anchor += '-';
    } else if (byte >= 0x80 || std::isalnum(byte) != 0 || c == '-' || c == '_') {
      anchor += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
    }
  }
  return anchor;
}

Markdown read_markdown(std::string_view text) {
  return Reader().read(text);
}

}  // namespace cudalabs::test
