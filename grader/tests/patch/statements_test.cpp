#include "patch/statements.h"

#include <catch2/catch.hpp>

#include <string>

namespace cudalabs::patch::test::of_statements {
namespace {

using Texts = std::vector<std::string>;

std::string text(const std::vector<Token>& tokens, const Statement& statement) {
  std::string all;
  for (std::size_t at = statement.first; at <= statement.last; ++at) all += tokens[at].text;
  return all;
}

Texts of_kind(std::string_view code, StatementKind kind) {
  const std::vector<Token> tokens = tokens_of(code);
  Texts texts;
  for (const Statement& statement : statements_of(tokens).all) {
    if (statement.kind == kind) texts.push_back(text(tokens, statement));
  }
  return texts;
}

constexpr std::string_view kProgram = R"(
struct Buffer {
  Buffer(int n) : n_(n), p_{nullptr} { make(); }
  ~Buffer() noexcept { if (p_) cudaFree(p_); }
  int n_ = 0;
};
namespace {
template <typename T>
__global__ void sum(const T* in, int n) {
  __shared__ T tile[4];
  for (int i = 0; i < n; ++i) {
    tile[i] = in[i];
    if (i > 2) break; else continue;
  }
  do { n = 1; } while (n > 2);
}
}
int main() {
  int table[2] = {1, 2};
  auto f = [&](int x) -> int { return x; };
  switch (f(2)) { case 1: g(); break; default: h(); }
  while (k) k = f(k);
  return 0;
}
)";

TEST_CASE("statements of every kind are read, in nested blocks, too") {
  CHECK(of_kind(kProgram, StatementKind::declaration) ==
        Texts{"__shared__Ttile[4];", "inttable[2]={1,2};", "autof=[&](intx)->int{returnx;};"});
  CHECK(of_kind(kProgram, StatementKind::expression) ==
        Texts{"make();", "cudaFree(p_);", "tile[i]=in[i];", "n=1;", "g();", "h();", "k=f(k);"});
  CHECK(of_kind(kProgram, StatementKind::leave) == Texts{"return0;", "returnx;"});
  CHECK(of_kind(kProgram, StatementKind::jump) == Texts{"break;", "continue;", "break;"});
  CHECK(of_kind(kProgram, StatementKind::branch) == Texts{"if(p_)cudaFree(p_);", "if(i>2)break;elsecontinue;"});
  CHECK(of_kind(kProgram, StatementKind::loop).size() == 3);
}

TEST_CASE("functions know their names, and which run on the device") {
  const std::vector<Token> tokens = tokens_of(kProgram);
  const Statements statements = statements_of(tokens);
  REQUIRE(statements.functions.size() == 5);
  CHECK(tokens[statements.functions[0].name].text == "Buffer");
  CHECK(tokens[statements.functions[2].name].text == "sum");
  CHECK(statements.functions[2].on_device);
  CHECK_FALSE(statements.functions[3].on_device);
  CHECK(statements.functions[4].name == kNone);
}

TEST_CASE("statements know their neighbours and what they are within") {
  const std::vector<Token> tokens = tokens_of("void f() { a(); for (;;) { b(); c(); } d(); }");
  const Statements statements = statements_of(tokens);
  REQUIRE(statements.all.size() == 6);
  CHECK(text(tokens, statements.all[3]) == "b();");
  CHECK(statement_before(statements, 3) == kNone);
  CHECK(statement_behind(statements, 3) == 4);
  CHECK(statement_behind(statements, 1) == 5);
  CHECK(enclosing(statements, 3, StatementKind::loop) == 1);
  CHECK(enclosing(statements, 5, StatementKind::loop) == kNone);
  CHECK(statements.all[1].body == 2);
}

TEST_CASE("what is no function has no statements") {
  CHECK(statements_of(tokens_of("int a[] = {1, 2}; struct S { int x; }; enum E { one };")).functions.empty());
  CHECK(statements_of(tokens_of("namespace a { extern \"C\" { int f(); } }")).functions.empty());
}

TEST_CASE("functions of many tokens or letters are left out") {
  const std::string many = std::string(1'000, ';'), long_text = '"' + std::string(50'000, 'x') + '"';
  CHECK(statements_of(tokens_of("void f() { " + many + " }")).all.size() == 1'000);
  CHECK(statements_of(tokens_of("void f() { " + many + many + many + " }")).all.empty());
  CHECK(statements_of(tokens_of("void f() { g(" + long_text + "); } void h() { g(); }")).all.size() == 1);
  std::string functions;
  for (int i = 0; i < 50; ++i) functions += "void f() { " + many + " }";
  CHECK(statements_of(tokens_of(functions)).all.empty());
}

TEST_CASE("a function that cannot be read is left out, and others are not") {
  CHECK(statements_of(tokens_of("void f() { if (a) } void g() { h(); }")).all.size() == 1);
  std::string deep = "void f() {";
  for (int i = 0; i < 1000; ++i) deep += "if (a) ";
  CHECK(statements_of(tokens_of(deep + "g(); }")).all.empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_statements
