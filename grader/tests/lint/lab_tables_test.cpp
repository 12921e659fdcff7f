// Tables that are made of lab.toml: found, compared and replaced in Markdown.
#include "lint/lab_tables.h"

#include "catch.h"

using namespace cudalabs;
using namespace cudalabs::lint;
using Texts = std::vector<std::string>;

namespace {

Lab two_checks() {
  Lab lab;
  lab.id = "lab9";
  lab.slug = "lab9_thing";
  lab.task = "a thing";
  lab.teaches = "things";
  lab.checks = {{"a", "A is right", Category::correctness, 2.5, {}, ""}, {"b", "B is", Category::sync, 5, {}, ""}};
  return lab;
}

const std::string kTable =
    "| Check | What is asked | Points |\n|---|---|---|\n| `a` | A is right | 2.5 |\n| `b` | B is | 5 |\n";

}  // namespace

TEST_CASE("a points table has a line for each check, the table of labs one for each lab") {
  CHECK(points_table(two_checks()) == kTable);
  CHECK(table_of_labs({two_checks()}) ==
        "| lab | what the student writes | what it teaches |\n|---|---|---|\n"
        "| [lab9](labs/lab9_thing/README.md) | a thing | things |\n");
}

TEST_CASE("a table is found by its first line, wherever it stands") {
  for (const std::string before : {"", "text\n\n", "| other | table |\n|---|---|\n| `a` | 3 |\n\n"}) {
    for (const std::string after : {"", "\ntext\n", "text | with | bars\n"}) {
      CAPTURE(before, after);
      CHECK(differences(before + kTable + after, kTable).empty());
      CHECK(with_table(before + kTable + after, "| Check | What is asked | Points |\nnew\n") ==
            before + "| Check | What is asked | Points |\nnew\n" + after);
    }
  }
}

TEST_CASE("what a table has too much, lacks or has in another order") {
  const std::string head = "| Check | What is asked | Points |\n|---|---|---|\n", a = "| `a` | A is right | 2.5 |\n",
                    b = "| `b` | B is | 5 |\n";
  CHECK(differences(head + a, kTable) == Texts{"the table lacks the line `| `b` | B is | 5 |`"});
  CHECK(differences(kTable + "| `c` | C | 1 |\n", kTable) ==
        Texts{"the table has the line `| `c` | C | 1 |`, and must not"});
  CHECK(differences(head + b + a, kTable) == Texts{"the lines of the table are in another order"});
  CHECK(differences(head + a + b + b, kTable) == Texts{"the lines of the table are in another order"});
  CHECK(differences("text\n" + a + b, kTable) == Texts{"there is no table `| Check | What is asked | Points |`"});
  CHECK(differences("", kTable).size() == 1);
  CHECK(with_table("text\n", kTable) == "text\n");
}
