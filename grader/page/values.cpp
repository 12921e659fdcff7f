// What a template is filled with.
#include "page/values.h"

#include <stdexcept>

namespace cudalabs::page {
namespace {

constexpr std::string_view kMarkup = "_markup";

void require_markup(const std::string& name, bool markup) {
  if (name.ends_with(kMarkup) != markup)
    throw std::logic_error(name + ": a name ends in _markup where it stands for markup, and nowhere else");
}

}  // namespace

Values& Values::text(const std::string& name, std::string_view text) {
  require_markup(name, false);
  data_.set(name, text.empty() ? kainjow::mustache::data(false) : kainjow::mustache::data(std::string(text)));
  return *this;
}

Values& Values::flag(const std::string& name, bool set) {
  require_markup(name, false);
  data_.set(name, set);
  return *this;
}

Values& Values::markup(const std::string& name, const Markup& markup) {
  require_markup(name, true);
  data_.set(name, markup.empty() ? kainjow::mustache::data(false) : kainjow::mustache::data(markup.text()));
  return *this;
}

Values& Values::list(const std::string& name, const std::vector<Values>& values) {
  require_markup(name, false);
  kainjow::mustache::data all(kainjow::mustache::data::type::list);
  for (const Values& each : values) all.push_back(each.data_);
  data_.set(name, all);
  return *this;
}

Values& Values::part(const std::string& name, const Values& values) {
  require_markup(name, false);
  data_.set(name, values.data_);
  return *this;
}

}  // namespace cudalabs::page
