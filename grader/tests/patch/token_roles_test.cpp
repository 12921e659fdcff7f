#include "patch/token_roles.h"

#include <catch2/catch.hpp>

#include <string>

namespace cudalabs::patch::test::of_roles {
namespace {

/// The text with "@" before each token that `is` such a one.
template <typename Is>
std::string marked(std::string_view code, const Is& is) {
  const std::vector<Token> tokens = tokens_of(code);
  const TokenRoles roles(tokens);
  std::string text;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (at > 0) text += ' ';
    if (is(roles, at)) text += '@';
    text += tokens[at].text;
  }
  return text;
}

std::string bodies(std::string_view code) {
  return marked(code, [](const TokenRoles& roles, std::size_t at) { return roles.body_of(at) == at; });
}

std::string binaries(std::string_view code) {
  return marked(code, [](const TokenRoles& roles, std::size_t at) { return roles.is_binary(at); });
}

TEST_CASE("functions have bodies; classes, namespaces and initialisers have none") {
  CHECK(bodies("namespace a { int f ( ) { if ( x ) { } } }") == "namespace a { int f ( ) @{ if ( x ) { } } }");
  CHECK(bodies("struct S { int n ; S ( int m ) : n { m } , k ( 2 ) { } int g ( ) const { } } ;") ==
        "struct S { int n ; S ( int m ) : n { m } , k ( 2 ) @{ } int g ( ) const @{ } } ;");
  CHECK(bodies("int a [ ] = { 1 } ; enum class E { b } ; struct __align__ ( 8 ) V { } ;") ==
        "int a [ ] = { 1 } ; enum class E { b } ; struct __align__ ( 8 ) V { } ;");
  CHECK(bodies("template < class T > __global__ void __launch_bounds__ ( 9 ) k ( T * x ) { }") ==
        "template < class T > __global__ void __launch_bounds__ ( 9 ) k ( T * x ) @{ }");
  CHECK(bodies("auto f = [ ] ( int a ) { } ; S & operator = ( S b ) { } auto g ( ) -> int { }") ==
        "auto f = [ ] ( int a ) @{ } ; S & operator = ( S b ) @{ } auto g ( ) -> int @{ }");
}

TEST_CASE("operators between two values are binary") {
  CHECK(binaries("a = b - - c * d [ 1 ] / f ( x ) ;") == "a @= b @- - c @* d [ 1 ] @/ f ( x ) ;");
  CHECK(binaries("return - a ; if ( b ) * p = 1 ; ( c ) * d ;") == "return - a ; if ( b ) * p @= 1 ; ( c ) @* d ;");
  CHECK(binaries("( size_t ) - a * sizeof ( float ) ; ( float * ) & b") ==
        "( size_t ) - a @* sizeof ( float ) ; ( float * ) & b");
}

TEST_CASE("declarations and templates have no operators") {
  CHECK(binaries("float * p ; const T & x ; auto && y ; Foo * z = q ;") ==
        "float * p ; const T & x ; auto && y ; Foo * z @= q ;");
  CHECK(binaries("struct Foo ; f ( Foo * z , Foo & w ) ; static_cast < int > ( x ) ; k < 8 > ( y ) ;") ==
        "struct Foo ; f ( Foo * z , Foo & w ) ; static_cast < int > ( x ) ; k < 8 > ( y ) ;");
  CHECK(binaries("std :: vector < std :: vector < int >> v ; k < a > <<< b , c >>> ( d ) ;") ==
        "std :: vector < std :: vector < int >> v ; k < a > <<< b , c >>> ( d ) ;");
  CHECK(binaries("if ( a < b && c > ( d ) ) ; for ( ; i < n ; )") ==
        "if ( a @< b @&& c @> ( d ) ) ; for ( ; i @< n ; )");
}

TEST_CASE("items stand between the commas of one list") {
  const std::vector<Token> tokens = tokens_of("f(a, g(b, c), v<d, int>(e));");
  CHECK(TokenRoles(tokens).items(1) == std::vector<TokenRange>{{2, 2}, {4, 9}, {11, 19}});
}

TEST_CASE("a value goes from its name or bracket to its last index, call or member") {
  const std::vector<Token> tokens = tokens_of("x = a.b(1)[2] + -(int)c->d;");
  const TokenRoles roles(tokens);
  CHECK(roles.first_of_value(10) == 2);
  CHECK(roles.last_of_value(2) == 10);
  CHECK(roles.last_of_value(12) == 18);
}

}  // namespace
}  // namespace cudalabs::patch::test::of_roles
