// Memory that a copy has filled in part.
#include "explain/memory/partly_filled.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_partly_filled {
namespace {

const std::string kClass = R"(struct Padded {
  bool clear() { return ok(cudaMemset(data, 0, bytes())); }
  bool copyFrom(const float* dense) {
    return ok(cudaMemcpy2D(data, pitch(), dense, line(), line(), rows, cudaMemcpyDeviceToDevice));
  }
};
)";

std::string with(const std::string& calls) {
  return kClass + "void f(const float* d_a, const float* d_b) {\n  " + calls + "\n}\n";
}

std::optional<UnclearedObject> object_in(const std::string& calls) {
  return uncleared_object(with(calls), 4);
}

MergedFinding read_of(const Help& help = Advice::compare_writes) {
  MergedFinding finding;
  finding.id = finding_ids::kUninitializedRead;
  finding.where = {"k.cu", 20, 5};
  finding.block = Index3{0, 0, 0};
  finding.thread = Index3{0, 18, 0};
  finding.note = "16 bytes at byte 6400 of an allocation (8192 bytes)";
  finding.help = help;
  finding.access.allocated = 8192;
  finding.other = OtherPlace{"`cudaMemcpy2D` writes bytes 0 to 6399 of the array here",
                             {"k.cu", 4, 0},
                             {},
                             {},
                             PlaceRole::unsaid,
                             "cudaMemcpy2D"};
  return finding;
}

MergedFinding shown(const std::string& source, const MergedFinding& finding) {
  std::vector<MergedFinding> findings{finding};
  show_partly_filled(findings, source, "k.cu");
  return findings.front();
}

}  // namespace

TEST_CASE("the only object that is copied to and not cleared is found") {
  CHECK(object_in("if (!a.clear() || !a.copyFrom(d_a)) return;\n  if (!b.copyFrom(d_b)) return;") ==
        UnclearedObject{{{"b"}, 9, 8}, "copyFrom", "clear", "a"});
  CHECK(object_in("a->clear(); a->copyFrom(d_a); b->copyFrom(d_b);")->call.names.front() == "b");
  CHECK(object_in("a.copyFrom(d_a);") == UnclearedObject{{{"a"}, 8, 3}, "copyFrom", "", ""});
  CHECK_FALSE(object_in("a.copyFrom(d_a); b.copyFrom(d_b);"));
  CHECK_FALSE(object_in("a.clear(); a.copyFrom(d_a);"));
  CHECK_FALSE(object_in("copyFrom(d_a); b.recopyFrom(d_b); b.copyFrom;"));
  CHECK_FALSE(uncleared_object(with("b.copyFrom(d_b);"), 99));
}

TEST_CASE("the call for an object that nothing clears is shown, beside its sibling") {
  const MergedFinding made =
      shown(with("if (!a.clear() || !a.copyFrom(d_a)) return;\n  if (!b.copyFrom(d_b)) return;"), read_of());
  CHECK(made.where == SourcePlace{"k.cu", 9, 8});
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 20, 5});
  CHECK(made.other->thread == Index3{0, 18, 0});
  CHECK_FALSE(made.block);
  CHECK(made.note ==
        "line 4: `cudaMemcpy2D` writes bytes 0 to 6399 of the array here\n16 bytes at byte 6400 of an allocation (8192 "
        "bytes)");
  CHECK(made.help ==
        "nothing fills the rest of this allocation of 8192 bytes: `a` is cleared, and `b` is not; call `b.clear()` "
        "before this");
}

TEST_CASE("without a sibling it is said what may be missing") {
  const MergedFinding made = shown(with("b.copyFrom(d_b);"), read_of());
  CHECK(made.where.line == 20);
  CHECK(made.note.starts_with("`copyFrom` is called in line 8\n"));
  CHECK(made.help ==
        "nothing else fills this allocation of 8192 bytes before the launch: if the rest is to be zeros, such as "
        "beside or below a matrix, clear it with `cudaMemset` before this copy; else compare what this call writes "
        "with what the kernel reads: where it begins and how much it is, in bytes");
  // What the compiler warns of comes first.
  const std::string warned = "the compiler warns of line 3; ";
  const MergedFinding behind =
      shown(with("b.copyFrom(d_b);"),
            read_of({Advice::compare_writes, warned + std::string(words_of(Advice::compare_writes))}));
  CHECK(behind.help == warned + made.help);
}

TEST_CASE("where more is known, or something else, the words stay") {
  const std::string source = with("a.clear(); a.copyFrom(d_a); b.copyFrom(d_b);");
  const MergedFinding several = read_of("2 calls write to this array before the launch: compare what each writes");
  CHECK(shown(source, several) == several);
  MergedFinding alone = read_of();
  alone.other.reset();
  CHECK(shown(source, alone) == alone);
  MergedFinding race = read_of();
  race.id = finding_ids::kGlobalRace;
  CHECK(shown(source, race) == race);
  MergedFinding set = read_of();
  set.other->label = "`cudaMemset` writes bytes 0 to 63 of the array here";
  set.other->name = "cudaMemset";
  CHECK(shown(source, set) == set);
}

TEST_CASE("a long text of calls is read all the same") {
  std::string many = kClass;
  for (int i = 0; i < 60'000; ++i) many += "a.copyFrom (";
  uncleared_object(many, 4);
  CHECK_FALSE(uncleared_object(std::string(1 << 20, 'a') + "(", 1));
}

}  // namespace cudalabs::test::of_partly_filled
