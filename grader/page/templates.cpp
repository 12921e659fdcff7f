// Templates by name, filled.
#include "page/templates.h"

#include <stdexcept>

#include "build/digest.h"
#include "page/base64.h"
#include "page_template_files.h"

namespace cudalabs::page {
namespace {

namespace mustache = kainjow::mustache;

mustache::data partial_of(std::string_view text) {
  return mustache::data(mustache::partial([text] { return std::string(text); }));
}

/// The digest as Content-Security-Policy names a style sheet by.
std::string hash_of(std::string_view text) {
  const std::string digits = builder::sha256(text);
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return base64(bytes);
}

}  // namespace

const Templates& page_templates() {
  static const Templates kTemplates{kPageTemplateFiles.begin(), kPageTemplateFiles.end()};
  return kTemplates;
}

Markup fill(std::string_view name, const Values& values, const Templates& more) {
  mustache::data all = values.data();
  for (const Templates* templates : {&page_templates(), &more}) {
    for (const auto& [each, text] : *templates) all.set(std::string(each) + "_template", partial_of(text));
  }
  const Templates& known = more.contains(name) ? more : page_templates();
  if (!known.contains(name)) throw std::logic_error("there is no template " + std::string(name));
  mustache::mustache text{std::string(known.at(name))};
  text.set_custom_escape([](const std::string& raw) { return escaped(raw); });
  std::string filled = text.render(all);
  if (!text.is_valid()) throw std::logic_error("template " + std::string(name) + ": " + text.error_message());
  return Markup::made_here(std::move(filled));
}

std::string whole_page(std::string_view title, const Markup& body) {
  const std::string style(page_templates().at("page"));
  Values values;
  values.text("title", title).text("style_hash", hash_of(style)).markup("body_markup", body);
  values.markup("style_markup", Markup::made_here(style));
  return fill("shell", values).text();
}

}  // namespace cudalabs::page
