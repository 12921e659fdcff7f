// What a template is filled with.
#pragma once

#include <kainjow/mustache.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "page/markup.h"

namespace cudalabs::page {

/// Names and what stands for them. An empty text, an empty list and false are the same to a template: nothing is
/// there, and names further out do not show through. All but markup is escaped when it is filled in.
class Values {
 public:
  Values& text(const std::string& name, std::string_view text);
  Values& flag(const std::string& name, bool set);
  /// `name` ends in "_markup", so that a template shows where it trusts what it gets. Throws std::logic_error for
  /// another name, as text() does for this one.
  Values& markup(const std::string& name, const Markup& markup);
  Values& list(const std::string& name, const std::vector<Values>& values);
  Values& part(const std::string& name, const Values& values);

  const kainjow::mustache::data& data() const { return data_; }

 private:
  kainjow::mustache::data data_;
};

}  // namespace cudalabs::page
