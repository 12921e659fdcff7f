// Markup in which all text is harmless.
#include "course/html.h"

#include <fmt/format.h>

#include <cctype>

#include "report/printable.h"

namespace cudalabs::course {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --text: #1d2330; --soft: #5a6376; --line: #d5d9e2; --back: #fff; --panel: #f5f6f9;
  --good: #16713a; --bad: #b3261e; --warn: #8a5a00; --bar: #3f6fd1; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e9f0; --soft: #a0a9bc; --line: #3a4252; --back: #14181f;
  --panel: #1d232d; --good: #6fd08c; --bad: #ff8a80; --warn: #f0b95b; --bar: #7aa2f7; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1.25rem 4rem; background: var(--back); color: var(--text);
  font: 16px/1.5 system-ui, "Liberation Sans", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .25rem; } h2 { font-size: 1.3rem; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1.05rem; margin: 1.5rem 0 .4rem; } p { margin: .4rem 0; } a { color: var(--bar); }
.soft { color: var(--soft); } .good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
.wide { overflow-x: auto; } .score { font-size: 1.6rem; font-weight: 600; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; color: var(--soft); } td, th { padding: .3rem .75rem .3rem 0; vertical-align: top;
  border-bottom: 1px solid var(--line); } td.n, th.n { text-align: right; white-space: nowrap; }
td { overflow-wrap: anywhere; } td.key { overflow-wrap: normal; white-space: nowrap; }
pre, code { font: .88rem/1.45 ui-monospace, "Liberation Mono", "DejaVu Sans Mono", monospace; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .8rem; overflow-x: auto;
  margin: .5rem 0; } pre.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.finding { border-left: 3px solid var(--line); padding-left: .9rem; margin: 1.1rem 0; }
.finding.error { border-color: var(--bad); } .finding.warning { border-color: var(--warn); }
meter { width: 100%; height: .9rem; } .bars td { border: 0; padding-top: .1rem; padding-bottom: .1rem; }
.bars td:nth-child(2) { width: 70%; } .bar { background: var(--bar); height: 1rem; border-radius: 2px; min-width: 1px; }
)";

std::string escaped(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace

Html::Html(std::string_view text) : markup_(escaped(printable(text))) {}

Html element(std::string_view tag, const Html& content,
             std::initializer_list<std::pair<std::string_view, std::string_view>> attributes) {
  Html result;
  result.markup_ = fmt::format("<{}", tag);
  for (const auto& [name, value] : attributes)
    result.markup_ += fmt::format(" {}=\"{}\"", name, escaped(printable_line(value)));
  result.markup_ += '>';
  result.markup_ += content.markup();
  result.markup_ += fmt::format("</{}>", tag);
  if (tag != "a" && tag != "span" && tag != "code" && tag != "b") result.markup_ += '\n';
  return result;
}

Html prose(std::string_view text) {
  Html result;
  while (!text.empty()) {
    const std::size_t open = text.find('`');
    const std::size_t end = open == std::string_view::npos ? open : text.find('`', open + 1);
    if (end == std::string_view::npos) break;
    result += Html(text.substr(0, open));
    result += element("code", Html(text.substr(open + 1, end - open - 1)));
    text.remove_prefix(end + 1);
  }
  return result + Html(text);
}

Html page(std::string_view title, const Html& body, std::string_view more_style) {
  Html result;
  result.markup_ = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"robots\" content=\"noindex\">\n"
      "<title>{}</title>\n<style>{}{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
      escaped(printable_line(title)), kStyle, more_style, body.markup());
  return result;
}

std::string link_path(std::string_view path) {
  std::string result;
  for (const unsigned char c : path) {
    const bool plain = std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '/';
    result += plain ? std::string(1, static_cast<char>(c)) : fmt::format("%{:02X}", c);
  }
  return result;
}

}  // namespace cudalabs::course
