// mma and wmma as instructions: which register holds what, against a plain product. The numbers are small integers, so
// that no sum is rounded.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "matrix_kernel.h"
#include "product_inputs.h"

using namespace matrix_kernel;
using product_inputs::Coding;
using product_inputs::Form;

namespace {

std::uint64_t coded(const Coding& coding, int value) {
  if (coding.exponent_bits == 0) return static_cast<std::uint32_t>(value) & (coding.bits == 8 ? 0xFFu : ~0u);
  if (coding.bits == 64) return std::bit_cast<std::uint64_t>(static_cast<double>(value));
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (coding.exponent_bits == 8) return bits >> (23 - coding.fraction_bits - coding.unused_bits);
  if (value == 0) return 0;
  return (bits >> 16 & 0x8000) | ((bits >> 23 & 0xFF) - 112) << 10 | (bits >> 13 & 0x3FF);
}

using Matrix = std::vector<int>;  // by rows

Matrix random_matrix(product_inputs::Rng& rng, int elements, bool negative, int limit) {
  Matrix matrix;
  for (int i = 0; i < elements; ++i) {
    const int value = static_cast<int>(rng.below(static_cast<std::uint32_t>(limit)));
    matrix.push_back(negative && rng.below(2) == 0 ? -value : value);
  }
  return matrix;
}

struct Problem {
  Matrix a, b, c, d;
};

Problem random_problem(const Form& form, std::uint64_t seed) {
  product_inputs::Rng rng{seed};
  Problem p;
  p.a = random_matrix(rng, form.m * form.k, form.a.name[0] != 'u', 6);
  p.b = random_matrix(rng, form.k * form.n, form.b.name[0] != 'u', 6);
  p.c = random_matrix(rng, form.m * form.n, true, 50);
  p.d = p.c;
  for (int i = 0; i < form.m; ++i) {
    for (int j = 0; j < form.n; ++j) {
      for (int k = 0; k < form.k; ++k)
        p.d[static_cast<std::size_t>(i * form.n + j)] +=
            p.a[static_cast<std::size_t>(i * form.k + k)] * p.b[static_cast<std::size_t>(k * form.n + j)];
    }
  }
  return p;
}

void append(std::vector<std::byte>& data, std::uint64_t bits, int width) {
  for (int byte = 0; byte < width / 8; ++byte) data.push_back(static_cast<std::byte>(bits >> 8 * byte & 0xFF));
}

std::uint64_t read(const Run& run, std::size_t at, int width) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, run.data.data() + at, static_cast<std::size_t>(width) / 8);
  return bits;
}

// --- mma: each lane's registers lie one behind the other ------------------------------------------------------------

using Place = product_inputs::Position (*)(const Form&, int, int);

void append_fragments(std::vector<std::byte>& data, const Form& form, const Matrix& matrix, int columns,
                      const Coding& coding, Place place) {
  const int per_lane = static_cast<int>(matrix.size()) / 32;
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < per_lane; ++i) {
      const product_inputs::Position at = place(form, lane, i);
      append(data, coded(coding, matrix[static_cast<std::size_t>(at.row * columns + at.column)]), coding.bits);
    }
  }
}

/// Loads or stores registers of `kind` and `bytes` bytes; the lane's first lies at `from` + lane * count * bytes.
std::string move_registers(bool storing, const std::string& kind, std::size_t first, std::size_t count,
                           std::size_t bytes, std::size_t from) {
  std::string text = "  mul.wide.u32 %rd2, %r1, " + std::to_string(count * bytes) + ";\n  add.s64 %rd2, %rd2, %rd1;\n";
  for (std::size_t i = 0; i < count; ++i) {
    const std::string reg = "%" + kind + std::to_string(first + i);
    const std::string place = "[%rd2+" + std::to_string(from + i * bytes) + "]";
    const std::string type = ".global.b" + std::to_string(8 * bytes) + " ";
    text += storing ? "  st" + type + place + ", " + reg + ";\n" : "  ld" + type + reg + ", " + place + ";\n";
  }
  return text;
}

void check_mma(const Form& form) {
  CAPTURE(form.name());
  const Problem p = random_problem(form, 7);
  std::vector<std::byte> data;
  append_fragments(data, form, p.a, form.k, form.a, product_inputs::in_a);
  const std::size_t b = data.size();
  append_fragments(data, form, p.b, form.n, form.b, product_inputs::in_b);
  const std::size_t c = data.size();
  append_fragments(data, form, p.c, form.n, form.c, product_inputs::in_c);
  const std::size_t d = data.size();
  data.resize(d + (d - c));
  const std::size_t bytes = form.a.bits == 64 ? 8 : 4;
  const std::string kind = bytes == 8 ? "fd" : "r", sums = form.c.name == std::string("f32") ? "f" : kind;
  const std::size_t count_a = b / 32 / bytes, count_b = (c - b) / 32 / bytes, count_c = (d - c) / 32 / bytes;
  const std::string body =
      move_registers(false, kind, 4, count_a, bytes, 0) + move_registers(false, kind, 12, count_b, bytes, b) +
      move_registers(false, sums, 16, count_c, bytes, c) + "  mma.sync.aligned." + form.name() + " " +
      registers(sums, 24, count_c) + ", " + registers(kind, 4, count_a) + ", " + registers(kind, 12, count_b) + ", " +
      registers(sums, 16, count_c) + ";\n" + move_registers(true, sums, 24, count_c, bytes, d);
  const Run run = matrix_kernel::run(body, data);
  CHECK(run.refusals.empty());
  CHECK(run.findings.empty());
  bool right = true;
  const int per_lane = form.m * form.n / 32;
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < per_lane; ++i) {
      const product_inputs::Position at = product_inputs::in_c(form, lane, i);
      const auto place = d + static_cast<std::size_t>((lane * per_lane + i) * form.c.bits / 8);
      right = right && read(run, place, form.c.bits) ==
                           coded(form.c, p.d[static_cast<std::size_t>(at.row * form.n + at.column)]);
    }
  }
  CHECK(right);
}

// --- wmma: matrices in memory ---------------------------------------------------------------------------------------

struct Layout {
  bool by_columns = false;
  int stride = 0;
  const char* name() const { return by_columns ? "col" : "row"; }
  int lines(int rows, int columns) const { return by_columns ? columns : rows; }
};

void append_matrix(std::vector<std::byte>& data, const Matrix& matrix, int rows, int columns, const Coding& coding,
                   const Layout& layout) {
  while (data.size() % 32 != 0) data.emplace_back();
  const std::size_t start = data.size(), bytes = static_cast<std::size_t>(coding.bits) / 8;
  data.resize(start + static_cast<std::size_t>(layout.lines(rows, columns) * layout.stride) * bytes);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const int at = layout.by_columns ? j * layout.stride + i : i * layout.stride + j;
      const std::uint64_t bits = coded(coding, matrix[static_cast<std::size_t>(i * columns + j)]);
      std::memcpy(data.data() + start + static_cast<std::size_t>(at) * bytes, &bits, bytes);
    }
  }
}

/// How many 32-bit registers (64 for f64) a fragment has, by the PTX ISA.
std::size_t wmma_registers(const Form& form, char which, const Coding& coding) {
  const int elements = which == 'a' ? form.m * form.k : which == 'b' ? form.k * form.n : form.m * form.n;
  if (coding.bits == 64) return static_cast<std::size_t>(elements) / 32;
  if (which != 'c' && coding.name == std::string("f16")) return 8;
  return static_cast<std::size_t>(elements * coding.bits) / 32 / 32;
}

enum class From { global, generic, shared };

void check_wmma(const Form& form, const Coding& result, const Layout& la, const Layout& lb, const Layout& lc,
                From from) {
  CAPTURE(form.name(), result.name, la.name(), lb.name(), lc.name(), static_cast<int>(from));
  const Problem p = random_problem(form, 11);
  std::vector<std::byte> data;
  append_matrix(data, p.a, form.m, form.k, form.a, la);
  append_matrix(data, {}, 0, 0, form.a, la);
  const std::size_t b = data.size();
  append_matrix(data, p.b, form.k, form.n, form.b, lb);
  append_matrix(data, {}, 0, 0, form.a, la);
  const std::size_t c = data.size();
  append_matrix(data, p.c, form.m, form.n, form.c, lc);
  append_matrix(data, {}, 0, 0, form.a, la);
  const std::size_t d = data.size();
  append_matrix(data, Matrix(p.c.size()), form.m, form.n, result, lc);
  const std::string shape = "m" + std::to_string(form.m) + "n" + std::to_string(form.n) + "k" + std::to_string(form.k);
  const std::string kind = form.a.bits == 64 ? "fd" : "r";
  const auto sums = [&](const Coding& coding) { return coding.name == std::string("f32") ? std::string("f") : kind; };
  std::string body, space = from == From::global ? ".global" : from == From::shared ? ".shared" : "";
  std::string base = "%rd1";
  if (from == From::shared) {
    REQUIRE(data.size() <= 4096);
    body = "  mov.u32 %r2, tile;\n  mov.u32 %r3, 0;\n";
    body += "$copy:\n  shl.b32 %r4, %r1, 2;\n  add.u32 %r4, %r4, %r3;\n  cvt.u64.u32 %rd5, %r4;\n";
    body += "  add.s64 %rd6, %rd1, %rd5;\n  ld.global.u32 %r5, [%rd6];\n  add.u32 %r6, %r2, %r4;\n";
    body += "  st.shared.u32 [%r6], %r5;\n  add.u32 %r3, %r3, 128;\n";
    body += "  setp.lt.u32 %p1, %r3, " + std::to_string(d) + ";\n  @%p1 bra $copy;\n  bar.sync 0;\n";
    base = "%r2";
    data.resize(std::max(data.size(), (d + 127) / 128 * 128));
  }
  const auto load = [&](char which, const Coding& coding, const Layout& layout, std::size_t first, std::size_t at) {
    const std::string registers_kind = which == 'c' ? sums(coding) : kind;
    return std::string("  wmma.load.") + which + ".sync.aligned." + layout.name() + "." + shape + space + "." +
           coding.name + " " + registers(registers_kind, first, wmma_registers(form, which, coding)) + ", [" + base +
           "+" + std::to_string(at) + "], " + std::to_string(layout.stride) + ";\n";
  };
  body += load('a', form.a, la, 8, 0) + load('b', form.b, lb, 16, b) + load('c', form.c, lc, 24, c);
  const bool halves = form.a.name == std::string("f16");
  const std::string types = halves
                                ? std::string(result.name) + "." + form.c.name
                                : std::string(result.name) + "." + form.a.name + "." + form.b.name + "." + form.c.name;
  const std::size_t count_c = wmma_registers(form, 'c', form.c), count_d = wmma_registers(form, 'c', result);
  body += std::string("  wmma.mma.sync.aligned.") + la.name() + "." + lb.name() + "." + shape + "." + types +
          (form.saturates ? ".satfinite " : " ") + registers(sums(result), 32, count_d) + ", " +
          registers(kind, 8, wmma_registers(form, 'a', form.a)) + ", " +
          registers(kind, 16, wmma_registers(form, 'b', form.b)) + ", " + registers(sums(form.c), 24, count_c) + ";\n";
  body += std::string("  wmma.store.d.sync.aligned.") + lc.name() + "." + shape + ".global." + result.name + " [%rd1+" +
          std::to_string(d) + "], " + registers(sums(result), 32, count_d) + ", " + std::to_string(lc.stride) + ";\n";
  const Run run = matrix_kernel::run(body, data);
  CHECK(run.refusals == std::vector<std::string>{});
  CHECK(run.ids() == std::vector<std::string>{});
  bool right = true;
  for (int i = 0; i < form.m; ++i) {
    for (int j = 0; j < form.n; ++j) {
      const auto at = static_cast<std::size_t>(lc.by_columns ? j * lc.stride + i : i * lc.stride + j);
      right = right && read(run, d + at * static_cast<std::size_t>(result.bits) / 8, result.bits) ==
                           coded(result, p.d[static_cast<std::size_t>(i * form.n + j)]);
    }
  }
  CHECK(right);
}

struct Extents {
  int m, n, k;
};

}  // namespace

TEST_CASE("every form of mma multiplies", "[vgpu]") {
  for (const Form& form : product_inputs::forms()) check_mma(form);
}

TEST_CASE("wmma multiplies matrices of every shape and layout", "[vgpu]") {
  using namespace product_inputs;
  const auto check = [](const Form& form, const Coding& result) {
    for (int variant = 0; variant < 8; ++variant) {
      const bool ca = (variant & 1) != 0, cb = (variant & 2) != 0, cc = (variant & 4) != 0;
      const int apart = variant % 3 * 16;
      check_wmma(form, result, {ca, (ca ? form.m : form.k) + apart}, {cb, (cb ? form.k : form.n) + apart},
                 {cc, (cc ? form.m : form.n) + apart}, variant % 2 == 0 ? From::global : From::generic);
    }
  };
  for (const auto& [m, n, k] : {Extents{16, 16, 16}, Extents{32, 8, 16}, Extents{8, 32, 16}}) {
    for (const Coding& c : {kF16, kF32})
      for (const Coding& d : {kF16, kF32}) check({m, n, k, kF16, kF16, c, false}, d);
    check({m, n, k, kBf16, kBf16, kF32, false}, kF32);
    for (const bool saturates : {false, true}) {
      check({m, n, k, kS8, kS8, kS32, saturates}, kS32);
      check({m, n, k, kU8, kU8, kS32, saturates}, kS32);
    }
  }
  check({16, 16, 8, kTf32, kTf32, kF32, false}, kF32);
  check({8, 8, 4, kF64, kF64, kF64, false}, kF64);
}

TEST_CASE("wmma loads from shared memory", "[vgpu]") {
  using namespace product_inputs;
  check_wmma({16, 16, 16, kF16, kF16, kF32, false}, kF32, {false, 16}, {true, 24}, {false, 16}, From::shared);
  check_wmma({8, 8, 4, kF64, kF64, kF64, false}, kF64, {false, 4}, {true, 4}, {false, 8}, From::shared);
}
