#include "patch/operators/object_life_patches.h"

#include <catch2/catch.hpp>

#include "applied_texts.h"

namespace cudalabs::patch::test::of_object_life_patches {
namespace {

const std::string kClasses = "struct Timer { Timer(double& ms); ~Timer(); }; ";

Texts lives(const std::string& body) {
  Texts texts;
  const std::string head = kClasses + "double f() { ";
  for (const std::string& text : applied_to(add_object_lives, head + body + " }")) {
    texts.push_back(text.substr(head.size(), text.size() - head.size() - 2));
  }
  return texts;
}

TEST_CASE("an object ends before the return of what its destructor sets") {
  CHECK(lives("double ms = 0;\nTimer timer(ms);\nlaunch();\nreturn ms;") ==
        Texts{"double ms = 0;\n{ Timer timer(ms);\nlaunch(); }\nreturn ms;"});
  CHECK(words_in_body(add_object_lives, "struct T { ~T(); }; T t(ms); launch(); return ms;") ==
        Texts{"a block `{ }` around the life of `t`, before the `return`"});
}

TEST_CASE("an object goes behind the calls before its first use") {
  CHECK(lives("Timer t(x); launch();\ng(); t.stop();") == Texts{" launch();\ng(); Timer t(x); t.stop();"});
}

TEST_CASE("an object stays where it is") {
  CHECK(lives("Timer timer(ms); launch(); return timer.ms;") == Texts{" launch(); Timer timer(ms); return timer.ms;"});
  CHECK(lives("Timer timer(ms); const double x = g(); return x;").empty());
  CHECK(lives("Timer timer(ms); return ms;").empty());
  CHECK(lives("static Timer timer(ms); launch(); return ms;").empty());
  CHECK(lives("Timer* timer = g(ms); launch(); return ms;").empty());
  CHECK(lives("Other timer(ms); launch(); return ms;").empty());
  CHECK(lives("Timer timer(ms); if (x) return 1; g();").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_object_life_patches
