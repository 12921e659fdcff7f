// Gradings with all that a page can show.
#pragma once

#include <string>
#include <vector>

#include "page/graded_work.h"

namespace cudalabs::test {

struct NamedWork {
  std::string name;
  page::GradedWork work;
};

/// The sample reports of all renderers; the failing one with coverage, accesses, pictures and a ladder as well.
std::vector<NamedWork> all_works();

/// Hostile text wherever a page shows text.
page::GradedWork hostile_work();

}  // namespace cudalabs::test
