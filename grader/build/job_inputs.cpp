// Files that a compiler's job gets beside the submission.
#include "build/job_inputs.h"

#include "sandbox/fd.h"
#include "sandbox/own_files.h"

namespace cudalabs::builder {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  const sandbox::Fd file = sandbox::open_file(path);
  return sandbox::read_all(file.get(), kMostProgram);
}

void add_folder(Inputs& inputs, const fs::path& folder, std::string_view inside) {
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    inputs[std::string(inside) + "/" + entry.path().lexically_relative(folder).string()] = contents(entry.path());
  }
}

fs::path runtime_headers() {
  return sandbox::own_files().file("include/cudart");
}

void give(sandbox::Job& job, const Inputs& inputs) {
  for (const auto& [path, bytes] : inputs)
    job.files.push_back({path, sandbox::make_memory_file("input", sandbox::bytes_of(bytes)), false});
}

}  // namespace cudalabs::builder
