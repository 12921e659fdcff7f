// What `grade` says without arguments.
#include "cli/overview.h"

#include <algorithm>

#include "catch.h"

using namespace cudalabs;

namespace {

const std::vector<OverviewLab> kLabs{{"lab1", "Vector add", "lab1_vector_add", "vector_add.cu"},
                                     {"lab2", "Threads over a picture", "lab2_picture", "picture.cu"}};

std::string shown(const BestScores& scores) {
  return render_overview(kLabs, scores, {.color = false, .unicode = false, .width = 80});
}

}  // namespace

TEST_CASE("who has graded nothing is led to the first lab") {
  CHECK(shown({}) ==
        "your best scores so far\n"
        "\n"
        "  lab1  Vector add              ....................  not graded yet\n"
        "  lab2  Threads over a picture  ....................  not graded yet\n"
        "\n"
        "next: lab1, Vector add\n"
        "  read      labs/lab1_vector_add/README.md\n"
        "  edit      labs/lab1_vector_add/vector_add.cu\n"
        "  grade it  make lab1 && ./grade lab1\n"
        "  stuck?    ./grade hint lab1\n"
        "\n"
        "Only for you, on this machine: your grade comes from the course. See --help.\n");
}

TEST_CASE("the next lab is the first without full points") {
  const std::string text = shown({{"lab1", {100, 100}}, {"lab2", {2, 100}}});
  CHECK(text.find("lab1  Vector add              ####################  100 of 100 points\n") != std::string::npos);
  CHECK(text.find("lab2  Threads over a picture  #...................  2 of 100 points\n") != std::string::npos);
  CHECK(text.find("next: lab2") != std::string::npos);
  CHECK(text.find("see what is left to fix:  make lab2 && ./grade lab2\n") != std::string::npos);
  // A bar is full for full points only.
  CHECK(shown({{"lab1", {99.9, 100}}}).find("###################.  99.9 of 100") != std::string::npos);
}

TEST_CASE("after the last lab there is no next one, and scores of unknown labs are not shown") {
  const std::string text = shown({{"lab1", {100, 100}}, {"lab2", {100, 100}}, {"lab9", {1, 100}}});
  CHECK(text.find("next:") == std::string::npos);
  CHECK(text.find("All labs have full points") != std::string::npos);
  CHECK(text.find("lab9") == std::string::npos);
}

TEST_CASE("who grades by an installed program is told its name, and to begin with a copy") {
  const auto text = [](const BestScores& scores) {
    return render_overview(kLabs, scores, {.color = false, .unicode = false, .width = 80},
                           {.name = "cudalabs-grade", .typed = "cudalabs-grade", .installed = true});
  };
  CHECK(text({}).find("  begin     cudalabs-grade start lab1\n"
                      "  edit      vector_add.cu\n"
                      "  grade it  cudalabs-grade lab1\n"
                      "  stuck?    cudalabs-grade hint lab1\n") != std::string::npos);
  CHECK(text({{"lab1", {5, 100}}}).find("see what is left to fix:  cudalabs-grade lab1\n") != std::string::npos);
}

TEST_CASE("ten labs fit a screen") {
  std::vector<OverviewLab> labs;
  for (int i = 0; i < 10; ++i) labs.push_back({"lab1", std::string(60, 'x'), "lab1_x", "x.cu"});
  const std::string text = render_overview(labs, {}, {.color = false, .unicode = false, .width = 80});
  CHECK(std::ranges::count(text, '\n') < 24);
  std::size_t start = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; start = end + 1, end = text.find('\n', start)) {
    CAPTURE(text.substr(start, end - start));
    CHECK(end - start <= 80);
  }
}
