// Products and fragments held to the answers of a real GPU's tensor cores (record_products.cu).
#include <zstd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "product_inputs.h"
#include "tree/tree_paths.h"
#include "vgpu/tensor/multiply.h"

using namespace cudalabs::vgpu::tensor;
using product_inputs::Form;

namespace {

std::string unpacked(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string packed{std::istreambuf_iterator<char>(file), {}};
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  REQUIRE(size != ZSTD_CONTENTSIZE_ERROR);
  REQUIRE(size != ZSTD_CONTENTSIZE_UNKNOWN);
  std::string text(size, '\0');
  REQUIRE(ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size()) == size);
  return text;
}

Element element_of(const product_inputs::Coding& coding) {
  return element_called(coding.name).value();
}

const product_inputs::Coding& coding_called(const std::string& name) {
  static const product_inputs::Coding kAll[] = {product_inputs::kF16, product_inputs::kBf16, product_inputs::kTf32,
                                                product_inputs::kF32, product_inputs::kF64,  product_inputs::kS8,
                                                product_inputs::kU8,  product_inputs::kS32};
  return *std::ranges::find_if(kAll, [&](const auto& coding) { return coding.name == name; });
}

/// "m16n8k16.row.col.satfinite.f32.f16.f16.f32"
Form form_called(const std::string& name) {
  Form form{};
  REQUIRE(std::sscanf(name.c_str(), "m%dn%dk%d", &form.m, &form.n, &form.k) == 3);
  std::vector<std::string> parts;
  std::istringstream in(name);
  for (std::string part; std::getline(in, part, '.');) parts.push_back(part);
  form.saturates = parts[3] == "satfinite";
  const std::size_t types = parts.size() - 4;
  form.a = coding_called(parts[types + 1]);
  form.b = coding_called(parts[types + 2]);
  form.c = coding_called(parts[types + 3]);
  REQUIRE(form.name() == name);
  return form;
}

Shape shape_of(const Form& form) {
  return {static_cast<std::uint32_t>(form.m), static_cast<std::uint32_t>(form.n), static_cast<std::uint32_t>(form.k)};
}

std::vector<std::uint64_t> numbers(const std::string& digits, std::size_t width) {
  std::vector<std::uint64_t> all;
  for (std::size_t i = 0; i + width <= digits.size(); i += width)
    all.push_back(std::stoull(digits.substr(i, width), nullptr, 16));
  return all;
}

/// Results that differ, of all.
struct Count {
  std::size_t different = 0, all = 0;
  bool operator==(const Count&) const = default;
};

void compare_tiles(std::istream& in, const Form& form, const product_inputs::Coding& result, int tiles, Count& count) {
  const Product product{shape_of(form),     element_of(form.a), element_of(form.b),
                        element_of(form.c), element_of(result), form.saturates};
  for (int index = 0; index < tiles; ++index) {
    std::string line;
    REQUIRE(std::getline(in, line));
    const auto expected = numbers(line, static_cast<std::size_t>(result.bits) / 4);
    const product_inputs::Tile tile = product_inputs::tile_of(form, static_cast<std::uint32_t>(index));
    REQUIRE(expected.size() == tile.c.size());
    std::vector<std::uint64_t> d(tile.c.size());
    multiply(product, tile.a.data(), tile.b.data(), tile.c.data(), d.data());
    for (std::size_t i = 0; i < d.size(); ++i) count.different += d[i] != expected[i] ? 1 : 0;
    count.all += d.size();
  }
}

/// "L m16n16k16 f16 f32 a col 16 0 2 …"
void compare_layout(std::istream& in) {
  std::string shape_name, inputs, sums, which, layout;
  std::uint32_t per_lane = 0;
  in >> shape_name >> inputs >> sums >> which >> layout >> per_lane;
  CAPTURE(shape_name, inputs, sums, which, layout);
  Shape shape;
  REQUIRE(std::sscanf(shape_name.c_str(), "m%un%uk%u", &shape.m, &shape.n, &shape.k) == 3);
  const Operand operand = which == "a" ? Operand::a : which == "b" ? Operand::b : Operand::c;
  const Fragment fragment = wmma_fragment(operand, shape, element_called(which == "c" ? sums : inputs).value());
  REQUIRE(fragment.per_lane == per_lane);
  std::vector<std::uint32_t> ours, theirs;
  for (const Position& at : fragment.positions) {
    ours.push_back(at.row * fragment.columns + at.column);
    theirs.emplace_back();
    in >> theirs.back();
  }
  REQUIRE(in);
  CHECK(ours == theirs);
}

/// "E" and nine registers of each lane: what ldmatrix gives of four matrices whose elements are their own numbers, the
/// same with .trans, and what movmatrix gives of one such matrix.
void compare_moves(std::istream& in) {
  const Fragment plain = matrix_of_8x8(false), transposed = matrix_of_8x8(true);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    for (std::uint32_t i = 0; i < 9; ++i) {
      const Fragment& fragment = i < 4 ? plain : transposed;
      const std::uint32_t matrix = i < 8 ? i % 4 : 0;
      const auto number = [&](std::uint32_t j) {
        const Position& at = fragment.at(lane, j);
        return matrix * 64 + at.row * 8 + at.column;
      };
      std::string digits;
      in >> digits;
      CHECK(std::stoul(digits, nullptr, 16) == (number(0) | number(1) << 16));
    }
  }
}

/// "S" and the elements, row by row, of what stmatrix makes of four matrices whose lanes hold their own numbers, and of
/// the same with .trans.
void compare_stores(std::istream& in) {
  std::vector<std::uint32_t> ours(512), theirs(512);
  for (std::uint32_t i = 0; i < 8; ++i) {
    const Fragment fragment = matrix_of_8x8(i >= 4);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      for (std::uint32_t j = 0; j < 2; ++j) {
        const Position& at = fragment.at(lane, j);
        ours[i * 64 + at.row * 8 + at.column] = i % 4 * 64 + 2 * lane + j;
      }
    }
  }
  in >> std::hex;
  for (std::uint32_t& number : theirs) in >> number;
  REQUIRE(in);
  CHECK(ours == theirs);
}

}  // namespace

TEST_CASE("an H200's products and fragments", "[vgpu]") {
  std::istringstream record(unpacked(cudalabs::source_path("grader/tests/vgpu_mma/products-h200.txt.zst")));
  std::map<std::string, Count> counts;
  std::string line;
  std::size_t layouts = 0, moves = 0;
  while (std::getline(record, line)) {
    std::istringstream in(line);
    std::string kind, name, result;
    in >> kind;
    if (kind == "L") {
      compare_layout(in);
      ++layouts;
    }
    if (kind == "E") {
      compare_moves(in);
      ++moves;
    }
    if (kind == "S") compare_stores(in);
    if (kind != "M" && kind != "W") continue;
    in >> name;
    const Form form = form_called(name);
    result = form.c.name;
    if (kind == "W") in >> result;
    int tiles = 0;
    in >> tiles;
    REQUIRE(in);
    Count& count = counts[kind == "W" ? "wmma " + name + " to " + result : name];
    compare_tiles(record, form, coding_called(result), tiles, count);
  }
  CHECK(layouts == 102);
  CHECK(moves == 1);
  CHECK(counts.size() == 55);
  for (const auto& [name, count] : counts) {
    CAPTURE(name, count.all);
    CHECK(count.different == 0);
  }
}
