// Memory that the destructors of two objects free after a move.
#include "explain/memory/moved_owner.h"

#include "catch.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_moved_owner {
namespace {

const std::string kClass = R"(class Buffer {
 public:
  explicit Buffer(int count) : count_{count} { cudaMalloc(&data_, count); }
  Buffer(Buffer&& other) noexcept : data_{other.data_}, count_{other.count_} {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    if (data_ != nullptr) cudaFree(data_);
  }
  float* data_ = nullptr;
  int count_ = 0;
};
)";

constexpr const char* kMove = "Buffer(Buffer&& other) noexcept : data_{other.data_}, count_{other.count_} {}";

std::optional<MovedOwner> moved_by(const std::string& move) {
  return moved_owner(replaced(kClass, kMove, move), "Buffer");
}

MergedFinding freed_before(std::string_view id, std::uint32_t line, std::uint32_t freed) {
  MergedFinding finding;
  finding.id = id;
  finding.where = {"k.cu", line, 0};
  finding.message = "`cudaFree` frees memory that is free already";
  finding.note = "in all cases";
  finding.other = OtherPlace{"it was freed here", {"k.cu", freed, 0}, {}, {}, PlaceRole::freeing};
  return finding;
}

}  // namespace

TEST_CASE("a move that leaves the pointer in the other object is found") {
  CHECK(moved_owner(kClass, "Buffer") == MovedOwner{{{"data_"}, 4, 43}, "other.data_", false});
  CHECK(moved_by("Buffer(Buffer&& o) { data_ = o.data_; }"));
  CHECK(moved_by("Buffer(Buffer&& o) : data_(std::move(o.data_)) {}"));
  CHECK(moved_by("Buffer(Buffer&& o) : data_(o.data_), count_(o.count_) { o.count_ = 0; }"));
  const auto assigned = moved_by(
      "Buffer& operator=(Buffer&& o) {\n if (this != &o) {\n cudaFree(data_);\n data_ = o.data_;\n }\n"
      " return *this;\n}");
  REQUIRE(assigned);
  CHECK(assigned->assigns);
  CHECK(moved_owner(
      replaced(replaced(kClass, "Buffer&& other", "Buffer<T>&& other"), "class", "template <class T> class"),
      "Buffer"));
}

TEST_CASE("a move that takes the pointer away is right") {
  CHECK_FALSE(moved_by("Buffer(Buffer&& o) : data_(o.data_) { o.data_ = nullptr; }"));
  CHECK_FALSE(moved_by("Buffer(Buffer&& o) : data_(std::exchange(o.data_, nullptr)) {}"));
  CHECK_FALSE(moved_by("Buffer(Buffer&& o) { std::swap(data_, o.data_); }"));
  CHECK_FALSE(moved_by("Buffer(Buffer&& o) : data_(o.release()) {}"));
  CHECK_FALSE(moved_by("Buffer(Buffer&& o) { *this = std::move(o); }"));
  CHECK_FALSE(moved_by("Buffer(Buffer&& o) : data_(o.data_) { forget(o); }"));
  CHECK_FALSE(moved_by("Buffer(Buffer&& o) : data_(o.data_) { forget(&o); }"));
  CHECK_FALSE(moved_by("Buffer(Buffer&&) = delete;"));
  CHECK_FALSE(moved_by("Buffer(Buffer&&) = default;"));
  CHECK_FALSE(moved_by(""));
}

TEST_CASE("a destructor that asks for another member may be told by it") {
  const std::string owning = replaced(kClass, "if (data_ != nullptr)", "if (count_ > 0)");
  CHECK_FALSE(moved_owner(replaced(owning, kMove, "Buffer(Buffer&& o) : data_(o.data_) { o.count_ = 0; }"), "Buffer"));
  CHECK_FALSE(moved_owner(replaced(kClass, "cudaFree(data_)", "cudaFree(all_)"), "Buffer"));
}

TEST_CASE("a type that can be copied may have its second owner from there") {
  CHECK_FALSE(moved_owner(
      replaced(kClass, "Buffer(const Buffer&) = delete;", "Buffer(const Buffer& o) : data_(o.data_) {}"), "Buffer"));
}

TEST_CASE("what is long to read is not read") {
  std::string nested;
  for (int i = 0; i < 100'000; ++i) nested += "~Buffer(){Buffer(Buffer&&o){";
  CHECK_FALSE(moved_owner(nested, "Buffer"));
}

TEST_CASE("what a destructor has freed is placed at the move") {
  std::vector<MergedFinding> findings{freed_before(finding_ids::kInvalidFree, 8, 8),
                                      freed_before(finding_ids::kUseAfterFree, 20, 8),
                                      freed_before(finding_ids::kInvalidFree, 8, 20)};
  show_moved_owners(findings, kClass, "k.cu");
  CHECK(findings[0].message ==
        "this move constructor copies `data_` and leaves it in `other`: both objects' destructors free the memory");
  CHECK(findings[0].where == SourcePlace{"k.cu", 4, 43});
  CHECK(findings[0].other->label == "the destructor frees the memory here");
  CHECK(findings[0].help == "take it away from the other object: `data_(std::exchange(other.data_, nullptr))`");
  CHECK(findings[1].other->place.line == 20);
  CHECK(findings[2].where.line == 8);
}

}  // namespace cudalabs::test::of_moved_owner
