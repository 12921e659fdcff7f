// Objects that free memory, in containers that copy them.
#include "explain/memory/grown_owner.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_grown_owner {
namespace {

const std::string kClass = R"(class Buffer {
 public:
  explicit Buffer(int count) { cudaMalloc(&data_, count); }
  ~Buffer() { cudaFree(data_); }
  float* data_;
};
)";

/// A function that begins in line 7 and has a vector in line 8.
std::string with(const std::string& statement, const std::string& declaration = "std::vector<Buffer> all;") {
  return kClass + "void f(int n) {\n  " + declaration + "\n  " + statement + "\n}\n";
}

std::optional<GrownOwner> owner_in(const std::string& statement,
                                   const std::string& declaration = "std::vector<Buffer> all;") {
  return grown_owner(with(statement, declaration), "Buffer");
}

MergedFinding shown(const std::string& source, std::uint32_t freed = 4) {
  MergedFinding finding;
  finding.id = finding_ids::kInvalidFree;
  finding.where = {"k.cu", 4, 0};
  finding.message = "`cudaFree` frees memory that is free already";
  finding.help = "as before";
  finding.other = OtherPlace{"it was freed here", {"k.cu", freed, 0}, {}, {}, PlaceRole::freeing};
  std::vector<MergedFinding> findings{finding};
  show_grown_owners(findings, source, "k.cu");
  return findings.front();
}

}  // namespace

TEST_CASE("a vector that grows copies its objects") {
  CHECK(owner_in("for (int i = 0; i < 3; ++i) all.emplace_back(n);") ==
        GrownOwner{{{"all"}, 9, 31}, "std::vector<Buffer>", "emplace_back", OwnerCopy::growth});
  CHECK(owner_in("all.emplace_back(n); all.emplace_back(n);")->where.column == 3);
  CHECK(owner_in("while (more()) { all.emplace_back(n); }", "std::vector<Buffer<float>> all;")->how ==
        OwnerCopy::growth);
  // The first element needs no copy, and reserved memory does not move.
  CHECK_FALSE(owner_in("all.emplace_back(n);"));
  CHECK_FALSE(owner_in("all.emplace_back(n); }", "for (int i = 0; i < 3; ++i) { std::vector<Buffer> all;"));
  CHECK_FALSE(owner_in("all.reserve(3); for (int i = 0; i < 3; ++i) all.emplace_back(n);"));
  CHECK_FALSE(owner_in("for (int i = 0; i < 3; ++i) all.emplace_back(n);", "std::deque<Buffer> all;"));
}

TEST_CASE("a container keeps a copy of what it gets") {
  CHECK(owner_in("all.push_back(Buffer(n));") ==
        GrownOwner{{{"all"}, 9, 3}, "std::vector<Buffer>", "push_back", OwnerCopy::given});
  CHECK(owner_in("all.reserve(3); all.push_back(Buffer(n));")->how == OwnerCopy::given);
  CHECK(owner_in("all.push_back(b);", "std::list<Buffer> all;")->by == "push_back");
  CHECK(owner_in("all.insert(all.end(), b);")->by == "insert");
  CHECK(owner_in("all.resize(3, Buffer(n));")->how == OwnerCopy::filled);
  CHECK(owner_in("", "std::vector<Buffer> all{Buffer(n), Buffer(n)};")->how == OwnerCopy::listed);
  CHECK(owner_in("", "std::vector<Buffer> all(3, Buffer(n));")->how == OwnerCopy::filled);
  CHECK_FALSE(owner_in("all.resize(3);"));
  CHECK_FALSE(owner_in("", "std::vector<Buffer> all(3);"));
  CHECK_FALSE(owner_in("", "std::vector<Buffer> all{3};"));
}

TEST_CASE("a loop that visits objects by value copies them") {
  const auto visited = owner_in("for (auto b : all) use(b);", "std::array<Buffer, 3> all = make();");
  CHECK(visited == GrownOwner{{{"all"}, 9, 13}, "std::array<Buffer, 3>", "b", OwnerCopy::visited});
  CHECK(owner_in("for (const Buffer b : all) use(b);")->how == OwnerCopy::visited);
  CHECK_FALSE(owner_in("for (auto& b : all) use(b);"));
  CHECK_FALSE(owner_in("for (const Buffer& b : all) use(b);"));
}

TEST_CASE("pointers, other types, and types that say how they are copied, are no copies") {
  const std::string twice = "all.push_back(x); all.push_back(x);";
  CHECK_FALSE(owner_in(twice, "std::vector<Buffer*> all;"));
  CHECK_FALSE(owner_in(twice, "std::vector<std::unique_ptr<Buffer>> all;"));
  CHECK_FALSE(owner_in(twice, "std::vector<float> all;"));
  CHECK_FALSE(owner_in("others.push_back(b);"));
  std::string movable = with(twice);
  CHECK(grown_owner(movable, "Buffer"));
  CHECK_FALSE(grown_owner(movable.insert(movable.find("  float* data_"), "Buffer(Buffer&& other);"), "Buffer"));
}

TEST_CASE("what a destructor has freed is placed at the container's call") {
  const MergedFinding made = shown(with("for (int i = 0; i < 3; ++i) all.emplace_back(n);"));
  CHECK(made.where == SourcePlace{"k.cu", 9, 31});
  CHECK(made.message ==
        "when `all`, a `std::vector<Buffer>`, grows, it copies its objects, and the destructors of the old ones free "
        "the memory that the copies still use");
  CHECK(made.help ==
        "give `Buffer` a move constructor that leaves nothing in the other object, or call `all.reserve` with their "
        "number first; delete the copy constructor, `Buffer(const Buffer&) = delete`, and the compiler finds such "
        "copies");
  REQUIRE(made.other);
  CHECK(made.other->label == "the destructor frees the memory here");
  CHECK_THAT(shown(with("all.push_back(Buffer(n));")).message, contains_text("`push_back` puts a copy of the object"));
  CHECK_THAT(shown(with("for (auto b : all) use(b);")).help, contains_text("visit them by reference, `auto& b : all`"));
  // Something else has freed it.
  CHECK(shown(with("all.push_back(Buffer(n));"), 9).help == "as before");
}

TEST_CASE("a long text with containers is read all the same") {
  std::string many = kClass;
  for (int i = 0; i < 50'000; ++i) many += "std::vector<Buffer";
  CHECK_FALSE(grown_owner(many, "Buffer"));
  std::string calls = "std::vector<Buffer> a;";
  for (int i = 0; i < 100'000; ++i) calls += "a.emplace(";
  CHECK_FALSE(grown_owner(kClass + calls, "Buffer"));
}

}  // namespace cudalabs::test::of_grown_owner
