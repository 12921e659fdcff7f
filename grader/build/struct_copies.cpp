// A copy is a call of LLVM's memcpy. It becomes a call of a function that is always inlined and has no line of its own,
// so that its load and store have that of the call. The functions stand behind the declaration of memcpy, which is
// there where there is a call. No text of a source begins a line of LLVM's text in these ways: text in quotes has no
// line ends.
//
// 16 bytes are taken as four words. For a `double2` that costs a few instructions on registers in optimised code, as
// the text of a call does not say the types of the members; four numbers of 4 bytes are what nearly all of them hold.
#include "build/struct_copies.h"

namespace cudalabs::builder {
namespace {

struct WholeCopy {
  int bytes;
  const char* type;  // of LLVM
};

constexpr WholeCopy kWholeCopies[] = {{4, "i32"}, {8, "i64"}, {16, "<4 x i32>"}};

std::string name_of(const WholeCopy& copy) {
  return "@cudalabs_copy_" + std::to_string(copy.bytes);
}

/// `call void @llvm.memcpy…(i8* align 16 %d, i8* align 16 %s, i64 16, i1 false)`
std::string call_of(const WholeCopy& copy) {
  const std::string bytes = std::to_string(copy.bytes);
  const std::string pointer = "[^%]*align " + bytes + R"( \([^,]*\), )";
  return R"(/^ *call void @llvm\.memcpy\.p0/s/@llvm\.memcpy\.p0[^(]*(\([^ ]*\) )" + pointer + "[^ ]* " + pointer +
         "i64 " + bytes + ", i1 false)/" + name_of(copy) + R"((\1 \2, \1 \3)/)";
}

/// Names of values that are addresses of CUDA's vectors, each in a line of the hold space, behind the letter of how it
/// is made: variables, from the beginning of a function on; and since the last copy elements of arrays, and with typed
/// pointers what the next copy is made from and to. All names of a function would be read for each of its copies.
constexpr const char* kNamesOfVectors[] = {
    "/^define /{x;s/.*//;x;}",
    R"(/^ *%[^ ]* = \(alloca\|bitcast\|getelementptr inbounds\) %struct\.u\{0,1\}\(char\|short\|int\|long\|longlong\|float\|double\)[124][*,]/{)"
    R"(H;x;s/\n *\(%[^ ]*\) = \(.\)[^\n]*$/\n\2\1 = /;x;})"};
constexpr const char* kForgetNames[] = {R"(/^ *call void @llvm\.memcpy\.p0i8/{x;s/.*//;x;})",
                                        R"(/^ *call void @llvm\.memcpy\.p0\./{x;s/\ng[^\n]*//g;x;})"};

/// A vector of CUDA is as large as it is aligned, whatever is known of the array that its address is taken of: clang
/// sees through the cast in `*reinterpret_cast<float4*>(&tile[row][column])`, and says that the elements are aligned. A
/// call of `memcpy` in a source is one of bytes, and says nothing of a structure.
std::string vector_alignment_of(const WholeCopy& copy) {
  const std::string bytes = std::to_string(copy.bytes);
  return "/^ *call void @llvm\\.memcpy\\.p0.*i64 " + bytes +
         ", i1 false.*!tbaa\\.struct/{G;/align [0-9]* \\(%[^,]*\\), .*\\n[abg]\\1 = /" + "s/align [0-9]* %/align " +
         bytes + " %/g;s/\\n.*//;}";
}

std::string definition_of(const WholeCopy& copy, bool typed_pointers) {
  const std::string any = typed_pointers ? "i8*" : "ptr";
  const std::string pointer = typed_pointers ? std::string(copy.type) + "*" : "ptr";
  const std::string align = ", align " + std::to_string(copy.bytes);
  const auto as_pointer = [&](const char* to, const char* from) {
    return std::string(R"(\n  )") + to + " = bitcast " + any + " " + from + " to " + pointer;
  };
  return "define internal void " + name_of(copy) + "(" + any + " %d, " + any + " %s) alwaysinline {" +
         as_pointer("%to", "%d") + as_pointer("%from", "%s") + R"(\n  %v = load )" + copy.type + ", " + pointer +
         " %from" + align + R"(\n  store )" + copy.type + " %v, " + pointer + " %to" + align + R"(\n  ret void\n}\n)";
}

std::string definitions(bool typed_pointers) {
  std::string text =
      std::string(R"(s/^declare void @llvm\.memcpy\.p0[^(]*()") + (typed_pointers ? "i8\\*" : "ptr") + R"( .*/&\n)";
  for (const WholeCopy& copy : kWholeCopies) text += definition_of(copy, typed_pointers);
  return text + "/";
}

}  // namespace

std::vector<std::string> whole_struct_copies() {
  std::vector<std::string> arguments;
  const auto add = [&](std::string expression) {
    arguments.emplace_back("-e");
    arguments.push_back(std::move(expression));
  };
  for (const char* expression : kNamesOfVectors) add(expression);
  for (const WholeCopy& copy : kWholeCopies) add(vector_alignment_of(copy));
  for (const char* expression : kForgetNames) add(expression);
  for (const WholeCopy& copy : kWholeCopies) add(call_of(copy));
  for (const bool typed_pointers : {true, false}) add(definitions(typed_pointers));
  return arguments;
}

}  // namespace cudalabs::builder
