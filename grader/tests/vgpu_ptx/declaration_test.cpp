// Variables, their sizes and initial values, and the limits on both.
#include <cstring>

#include "parsing.h"

using namespace cudalabs::vgpu::ptx;

namespace {

Variable only_variable(const std::string& text) {
  Module module = parse_module(text);
  REQUIRE(module.variables.size() == 1);
  return std::move(module.variables[0]);
}

template <class Value>
std::vector<Value> values(const Variable& variable) {
  std::vector<Value> result(variable.initial.size() / sizeof(Value));
  std::memcpy(result.data(), variable.initial.data(), result.size() * sizeof(Value));
  return result;
}

using Bytes = std::vector<std::uint8_t>;

}  // namespace

TEST_CASE("types have names and sizes") {
  for (const auto& [name, bytes] : std::vector<std::pair<std::string, std::uint32_t>>{
           {"pred", 1}, {"b8", 1},    {"b16", 2},  {"b32", 4},    {"b64", 8}, {"b128", 16}, {"u8", 1},
           {"u16", 2},  {"u32", 4},   {"u64", 8},  {"s8", 1},     {"s16", 2}, {"s32", 4},   {"s64", 8},
           {"f16", 2},  {"f16x2", 4}, {"bf16", 2}, {"bf16x2", 4}, {"f32", 4}, {"f64", 8}}) {
    INFO(name);
    const auto type = type_from_name(name);
    REQUIRE(type);
    CHECK(size_in_bytes(*type) == bytes);
    CHECK(name_of(*type) == name);
  }
  CHECK_FALSE(type_from_name("none"));
  CHECK_FALSE(type_from_name("u33"));
  CHECK_FALSE(type_from_name(""));
}

TEST_CASE("a variable has a space, a type, an alignment and a size") {
  const Variable scalar = only_variable(".visible .global .align 8 .b32 a;");
  CHECK(scalar.name == "a");
  CHECK(scalar.space == Space::global);
  CHECK(scalar.type == Type::b32);
  CHECK(scalar.alignment == 8);
  CHECK(scalar.size == 4);
  CHECK(scalar.initial.empty());
  CHECK(scalar.ptx_line == 2);

  const Variable array = only_variable(".const .f32 a[3][4];");
  CHECK(array.space == Space::constant);
  CHECK(array.size == 48);
  CHECK(array.alignment == 4);

  const Variable vector = only_variable(".shared .v4 .f32 v[2];");
  CHECK(vector.vector_size == 4);
  CHECK(vector.size == 32);
  CHECK(vector.alignment == 16);

  const Variable dynamic = only_variable(".extern .shared .align 16 .b8 pool[];");
  CHECK(dynamic.is_extern);
  CHECK(dynamic.size == 0);
  CHECK(dynamic.alignment == 16);

  CHECK(only_variable(".global .attribute(.managed) .align 4 .u32 m;").is_managed);
  CHECK(only_variable(".global .attribute(.unified(19, 95), .managed) .b8 m[4];").is_managed);
  CHECK_FALSE(only_variable(".global .attribute(.unified(0xAB, 0xCD)) .b8 m[4];").is_managed);
  CHECK(parse_module(".weak .global .u32 a, b[2], c = 3;").variables.size() == 3);
}

TEST_CASE("a definition takes the place of an extern declaration") {
  Module module = parse_module(".extern .global .u32 a; .global .u32 b; .global .u32 a = 5; .extern .global .u32 b;");
  REQUIRE(module.variables.size() == 2);
  CHECK(module.variables[0].name == "a");
  CHECK_FALSE(module.variables[0].is_extern);
  CHECK(module.variables[0].initial == Bytes{5, 0, 0, 0});
  CHECK_FALSE(module.variables[1].is_extern);
  CHECK(module_refusal(".global .u32 a; .global .u32 a;") == "`a` is declared twice");
  CHECK(module_refusal(".global .u32 a; .func a();") == "`a` is a variable already");
  CHECK(module_refusal(".func a(); .global .u32 a;") == "`a` is a function already");
}

TEST_CASE("initial values are little-endian and as wide as the type") {
  CHECK(only_variable(".global .u8 a = 300;").initial == Bytes{44});
  CHECK(only_variable(".global .b16 a = -2;").initial == Bytes{0xFE, 0xFF});
  CHECK(only_variable(".global .u64 a = 0x0102030405060708;").initial == Bytes{8, 7, 6, 5, 4, 3, 2, 1});
  CHECK(only_variable(".global .u32 a = {7};").initial == Bytes{7, 0, 0, 0});
  CHECK(only_variable(".global .b128 a = 1;").initial.size() == 16);
  CHECK(values<float>(only_variable(".global .f32 a[2] = {0f3F800000, -2.5};")) == std::vector<float>{1.0f, -2.5f});
  CHECK(values<float>(only_variable(".global .f32 a[3] = {0d3FF0000000000000, 3, -WARP_SZ};")) ==
        std::vector<float>{1.0f, 3.0f, -32.0f});
  CHECK(values<double>(only_variable(".global .f64 a[2] = {0f3F800000, 0dBFF8000000000000};")) ==
        std::vector<double>{1.0, -1.5});
  CHECK(values<std::uint32_t>(only_variable(".global .f32 a = 0f7FA00001;")) == std::vector<std::uint32_t>{0x7FA00001});
  CHECK(values<std::uint32_t>(only_variable(".global .b32 a = 0f3F800000;")) == std::vector<std::uint32_t>{0x3F800000});
  CHECK(module_refusal(".global .b16 a = 1.5;") == "a floating-point value for a variable of type .b16");
  CHECK(module_refusal(".global .b32 a = 0d3FF0000000000000;") == "a floating-point value for a variable of type .b32");
}

TEST_CASE("lists fill what they cover and leave the rest zero") {
  using Ints = std::vector<std::int32_t>;
  CHECK(values<std::int32_t>(only_variable(".global .s32 a[4] = {1, -2};")) == Ints{1, -2, 0, 0});
  CHECK(values<std::int32_t>(only_variable(".global .s32 a[4] = {};")) == Ints{0, 0, 0, 0});
  CHECK(values<std::int32_t>(only_variable(".global .s32 a[2][3] = {{1, 2}, {3}};")) == Ints{1, 2, 0, 3, 0, 0});
  CHECK(values<std::int32_t>(only_variable(".global .s32 a[2][3] = {1, 2, 3, 4};")) == Ints{1, 2, 3, 4, 0, 0});
  CHECK(values<std::int32_t>(only_variable(".global .s32 a[2][2] = {1, 2, {3, 4}};")) == Ints{1, 2, 3, 4});
  CHECK(values<std::int32_t>(only_variable(".global .s32 a[2][2][2] = {{{1}, {2}}, {{3}, 4}};")) ==
        Ints{1, 0, 2, 0, 3, 0, 4, 0});
  CHECK(values<std::int32_t>(only_variable(".global .v2 .s32 a[2] = {{1, 2}, {3, 4}};")) == Ints{1, 2, 3, 4});
  CHECK(values<std::int32_t>(only_variable(".global .v4 .s32 a = {1, 2, 3};")) == Ints{1, 2, 3, 0});
}

TEST_CASE("an array without a size is as long as its list") {
  const Variable flat = only_variable(".global .u16 a[] = {1, 2, 3};");
  CHECK(flat.size == 6);
  CHECK(flat.initial == Bytes{1, 0, 2, 0, 3, 0});
  const Variable rows = only_variable(".global .u8 a[][4] = {{1}, 2, 3, 4, 5, 6};");
  CHECK(rows.size == 12);
  CHECK(rows.initial == Bytes{1, 0, 0, 0, 2, 3, 4, 5, 6, 0, 0, 0});
}

TEST_CASE("lists that do not fit are refused") {
  CHECK(module_refusal(".global .u32 a[2] = {1, 2, 3};") == "more initial values than elements");
  CHECK(module_refusal(".global .u32 a[2][2] = {{1, 2, 3}};") == "more initial values than elements");
  CHECK(module_refusal(".global .u32 a[2][2] = {{1}, {2}, {3}};") == "more initial values than elements");
  CHECK(module_refusal(".global .u32 a[2] = {{1}};") == "a list in braces does not fit the dimensions");
  CHECK(module_refusal(".global .u32 a[2][2] = {1, {2}};") == "a list in braces does not fit the dimensions");
  CHECK(module_refusal(".global .u32 a = {1, 2};") == "expected `}`, found `,`");
  CHECK(module_refusal(".global .u32 a[2] = 5;") == "expected `{`, found `5`");
  CHECK(module_refusal(".global .u32 a[2] = {1 2};") == "expected `}`, found `2`");
  CHECK(module_refusal(".extern .global .u32 a = 5;") == "an extern variable cannot have an initialiser");
}

TEST_CASE("addresses in initial values become relocations") {
  const Module module = parse_module(
      ".func f(); .global .u32 x; .global .u64 table[3] = {f, generic(x)+4, x-8}; .const .u64 p = generic(x+2)+3;");
  const Variable& table = module.variables[1];
  CHECK(table.initial == Bytes(24, 0));
  REQUIRE(table.relocations.size() == 3);
  CHECK(table.relocations[0].symbol == "f");
  CHECK(table.relocations[1].offset == 8);
  CHECK(table.relocations[1].generic);
  CHECK(table.relocations[1].addend == 4);
  CHECK(table.relocations[2].addend == -8);
  CHECK_FALSE(table.relocations[2].generic);
  CHECK(module.variables[2].relocations[0].addend == 5);
  CHECK(parse_module(".global .u64 a = b; .global .u32 b;").variables[0].relocations.size() == 1);
  CHECK(module_refusal(".global .u64 a = b;") == "`b` is not declared");
  CHECK(module_refusal(".global .u32 b; .global .u32 a = b;") == "an address needs an element of 8 bytes");
  CHECK(module_refusal(".global .u32 b; .global .u64 a = b+9223372036854775807+1;") ==
        "the offset does not fit 64 bits");
}

TEST_CASE("the bytes of an address in a packed structure come together") {
  std::string masks;
  for (int i = 0; i < 8; ++i) masks += ", 0xFF" + std::string(2 * static_cast<std::size_t>(i), '0') + "(generic(x)+4)";
  const Module module = parse_module(".global .u32 x; .global .u8 a[10] = {1" + masks + ", 2};");
  const Variable& packed = module.variables[1];
  REQUIRE(packed.relocations.size() == 1);
  CHECK(packed.relocations[0].offset == 1);
  CHECK(packed.relocations[0].symbol == "x");
  CHECK(packed.relocations[0].addend == 4);
  CHECK(packed.relocations[0].generic);
  CHECK(packed.initial == Bytes{1, 0, 0, 0, 0, 0, 0, 0, 0, 2});

  const std::string pieces = "the bytes of an address must be all eight, one after the other";
  const auto why = [](const std::string& list) {
    return module_refusal(".global .u32 x; .global .u32 y; .global .u8 a[10] = {" + list + "};");
  };
  CHECK(why("0xFF00(x)") == pieces);
  CHECK(why("0xFF(x), 0xFF0000(x)") == pieces);
  CHECK(why("0xFF(x), 0xFF00(y)") == pieces);
  CHECK(why("0xFF(x), 1, 0xFF00(x)") == pieces);
  CHECK(why("0xFF(x)") == "the bytes of an address are incomplete");
  CHECK(module_refusal(".global .u32 x; .global .u64 a = 0xFF(x);") == pieces);
}

TEST_CASE("malformed declarations are refused") {
  CHECK(module_refusal(".global a;") == "expected a type, found `a`");
  CHECK(module_refusal(".global .u32 ;") == "expected a name, found `;`");
  CHECK(module_refusal(".global .u32 .u32 a;") == "unexpected `.u32` in a declaration");
  CHECK(module_refusal(".global .u33 a;") == "unexpected `.u33` in a declaration");
  CHECK(module_refusal(".global .pred a;") == "a predicate must be a register");
  CHECK(module_refusal(".local .u32 a;") == "unexpected `.local` at module scope");
  CHECK(module_refusal(".reg .u32 a;") == "unexpected `.reg` at module scope");
  CHECK(module_refusal(".global .align 3 .u32 a;") == "the alignment is not a power of two");
  CHECK(module_refusal(".global .align 0 .u32 a;") == "the alignment is not a power of two");
  CHECK(module_refusal(".global .align 131072 .u32 a;") == "the alignment is out of range (at most 65536)");
  CHECK(module_refusal(".global .u32 a[-1];") == "the dimension is out of range (at most 1099511627776)");
  CHECK(module_refusal(".global .u32 a[2][];") == "only the outermost dimension may be left out");
  CHECK(module_refusal(".global .u32 a[2][0];") == "an inner dimension is 0");
  CHECK(module_refusal(".global .u32 a") == "expected `;`, found the end of the text");
  CHECK(module_refusal(".global .u32 _;") == "`_` is a name of the language");
  CHECK(module_refusal(".global .u32 %tid;") == "`%tid` is a name of the language");
  CHECK(module_refusal(".extern .visible;") == "unexpected `;` at module scope");
  CHECK(module_refusal(".global .attribute(.managed .u32 a;") == "expected `)`, found `.u32`");
  CHECK(module_refusal(".global .attribute(.big) .u32 a;") == "expected an attribute, found `.big`");
}

TEST_CASE("huge sizes are numbers, not memory, and must not overflow") {
  CHECK(only_variable(".global .b8 a[1099511627776];").size == std::uint64_t{1} << 40);
  CHECK(module_refusal(".global .b16 a[1099511627776];") == "the variable is larger than 1 TiB");
  CHECK(module_refusal(".global .b8 a[1048576][1048576][1048576];") == "the variable is larger than 1 TiB");
  CHECK(module_refusal(".global .b8 a[4294967296][4294967296];") == "the variable is larger than 1 TiB");
  CHECK(module_refusal(".global .b8 a[][1099511627776][2] = {1};") == "the variable is larger than 1 TiB");
  CHECK(module_refusal(".global .b8 a[18446744073709551615];") ==
        "the dimension is out of range (at most 1099511627776)");
  std::string dimensions;
  for (int i = 0; i < 17; ++i) dimensions += "[1]";
  CHECK(module_refusal(".global .b8 a" + dimensions + ";") == "too many dimensions");
  CHECK(module_refusal(".global .b8 a[1000000000] = {1};") == "the initialised variables take more than 128 MiB");
  CHECK(module_refusal(".global .b8 a[][1000000000] = {1};") == "the initialised variables take more than 128 MiB");
  CHECK(module_refusal(".global .b8 a[70000000] = {1}; .global .b8 b[70000000] = {1};") ==
        "the initialised variables take more than 128 MiB");
}
