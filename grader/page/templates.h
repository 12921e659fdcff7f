// Templates by name, filled.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "page/markup.h"
#include "page/values.h"

namespace cudalabs::page {

/// Names of templates, and their text: the files in a room's folder templates/, without their endings.
using Templates = std::map<std::string_view, std::string_view>;

/// Those of this room.
const Templates& page_templates();

/// The template `name` filled with `values`. It may take in others, `{{>name_template}}`, of `more` and of this room.
/// Throws std::logic_error for a template that is not there or not well formed.
Markup fill(std::string_view name, const Values& values, const Templates& more = {});

/// A whole page: no script, nothing fetched, light or dark as the reader's system is. `body` has one element with the
/// id `content`.
std::string whole_page(std::string_view title, const Markup& body);

}  // namespace cudalabs::page
