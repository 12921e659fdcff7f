// Asks this machine's GPU what it makes of every form, function and program, and writes the record.
//   record_device list                    prints the keys of all forms, functions and programs
//   record_device ptx KEY                 prints the kernel for one of them
//   record_device source                  prints CUDA source with a kernel for each function
//   record_device run CUBIN WORK PROCESSES DRIVER TOOLKIT DATE OUTPUT
// CUBIN: that source, compiled. WORK: an empty folder, in which raw-* hold all results afterwards: a line with the key,
// the rows and the bytes of each of a row's two results, then the results themselves, all first ones, all second ones;
// of a program a line with its name, the bytes, and 0 0, then what it wrote.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>

#include "cuda_gpu.h"
#include "form_kernel.h"
#include "form_results.h"
#include "instruction_forms.h"
#include "processes.h"
#include "programs.h"
#include "record.h"

namespace {

using namespace cudalabs::conformance;
using cudalabs::reference::CudaGpu;
using cudalabs::reference::Launch;
namespace fs = std::filesystem;

constexpr unsigned kSecondsEach = 30;

std::string contents_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<InstructionForm> forms_and_functions() {
  std::vector<InstructionForm> forms = all_instruction_forms();
  const std::vector<InstructionForm> functions = all_function_forms();
  forms.insert(forms.end(), functions.begin(), functions.end());
  return forms;
}

/// What one process finds, line by line: a kind, a key and a text, with tabs between them.
class Worker {
 public:
  Worker(const fs::path& work, const std::string& cubin, const std::vector<InstructionForm>& forms,
         const std::vector<NamedProgram>& programs)
      : forms_(forms),
        programs_(programs),
        lines_(work / fmt::format("lines-{}", getpid())),
        raw_(work / fmt::format("raw-{}", getpid()), std::ios::binary) {
    functions_ = gpu_.load(cubin);
  }

  void work(std::uint64_t item) {
    if (item < forms_.size()) {
      form(forms_[item]);
    } else {
      program(programs_[item - forms_.size()]);
    }
    lines_.flush();
    raw_.flush();
  }

 private:
  void say(const char* kind, const std::string& key, const std::string& text) {
    lines_ << kind << '\t' << key << '\t' << text << '\n';
  }

  std::optional<CudaGpu::Module> loaded(const std::string& ptx, const std::string& key) {
    try {
      return gpu_.load(ptx);
    } catch (const cudalabs::reference::RefusedByDriver&) {
      say("refused", key, "");
      return std::nullopt;
    }
  }

  void form(const InstructionForm& form) {
    const OperandTable operands = operands_of(form);
    const bool function = form.shape == Shape::function;
    const auto module = function ? functions_ : loaded(kernel_of(form, operands.rows()), form.key());
    if (!module) return;
    const Launch launch{
        {static_cast<std::uint32_t>(operands.rows() / kThreadsPerBlock), 1, 1}, {kThreadsPerBlock, 1, 1}, 0};
    const std::vector<FormResult> results =
        results_of(gpu_.run(*module, function ? "form" + form.text : "form", launch, bytes_of(operands),
                            operands.rows() * sizeof(FormResult)));
    if (!function) gpu_.unload(*module);
    say("form", form.key(), digests_of(form, operands, results));
    if (form.approximate()) say("sample", form.key(), samples_of(form, operands, results));
    keep(form, results);
  }

  void keep(const InstructionForm& form, const std::vector<FormResult>& results) {
    const auto bytes_for = [](std::uint64_t used) {
      return used >> 32 != 0 ? 8 : used >> 16 != 0 ? 4 : used != 0 ? 2 : 0;
    };
    std::uint64_t first = 0, second = 0;
    for (const FormResult& result : results) {
      first |= result.first;
      second |= result.second;
    }
    raw_ << fmt::format("{} {} {} {}\n", form.key(), results.size(), bytes_for(first), bytes_for(second));
    for (const FormResult& result : results) raw_.write(reinterpret_cast<const char*>(&result.first), bytes_for(first));
    for (const FormResult& result : results) {
      raw_.write(reinterpret_cast<const char*>(&result.second), bytes_for(second));
    }
  }

  void program(const NamedProgram& named) {
    const cudalabs::reference::Program program = named.make();
    const auto module = loaded(program.ptx, named.name);
    if (!module) return;
    const std::vector<std::byte> output =
        gpu_.run(*module, "program", program.launch, program.input, program.output_bytes);
    gpu_.unload(*module);
    say("program", named.name, digest_of(output));
    raw_ << fmt::format("{} {} 0 0\n", named.name, output.size());
    raw_.write(reinterpret_cast<const char*>(output.data()), static_cast<std::streamsize>(output.size()));
  }

  CudaGpu gpu_;
  CudaGpu::Module functions_;
  const std::vector<InstructionForm>& forms_;
  const std::vector<NamedProgram>& programs_;
  std::ofstream lines_, raw_;
};

void gather(const fs::path& work, Record& record) {
  for (const fs::directory_entry& entry : fs::directory_iterator(work)) {
    if (!entry.path().filename().string().starts_with("lines-")) continue;
    std::istringstream text(contents_of(entry.path()));
    for (std::string kind, key, value; std::getline(text, kind, '\t') && std::getline(text, key, '\t');) {
      std::getline(text, value);
      if (kind == "form") record.forms[key] = value;
      if (kind == "sample") record.samples[key] = value;
      if (kind == "program") record.programs[key] = value;
      if (kind == "refused") record.refused.insert(key);
    }
  }
}

int list() {
  for (const InstructionForm& form : forms_and_functions()) std::cout << form.key() << '\n';
  for (const NamedProgram& program : all_programs()) std::cout << program.name << '\n';
  return 0;
}

int print_ptx(const std::string& key) {
  for (const InstructionForm& form : forms_and_functions()) {
    if (form.key() == key) std::cout << kernel_of(form, operands_of(form).rows());
  }
  for (const NamedProgram& program : all_programs()) {
    if (program.name == key) std::cout << program.make().ptx;
  }
  return 0;
}

int run(const std::vector<std::string>& arguments) {
  const std::string cubin = contents_of(arguments[0]);
  const fs::path work = arguments[1];
  Record record;
  record.driver = arguments[3];
  record.toolkit = arguments[4];
  record.date = arguments[5];
  const std::vector<InstructionForm> forms = forms_and_functions();
  const std::vector<NamedProgram> programs = all_programs();
  const auto make_work = [&] {
    const auto worker = std::make_shared<Worker>(work, cubin, forms, programs);
    return [worker](std::uint64_t item) { worker->work(item); };
  };
  cudalabs::reference::work_in_processes(
      forms.size() + programs.size(), std::stoull(arguments[2]), kSecondsEach, make_work,
      [&](std::uint64_t item, const std::string& why) {
        const std::string key = item < forms.size() ? forms[item].key() : programs[item - forms.size()].name;
        fmt::print("{}: {}\n", key, why);
        record.failed[key] = why;
      });
  gather(work, record);
  record.device = CudaGpu().name();
  std::ofstream(arguments[6]) << write_record(record);
  fmt::print("{}: {} forms, {} refused, {} programs, {} failed\n", record.device, record.forms.size(),
             record.refused.size(), record.programs.size(), record.failed.size());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (arguments.size() == 1 && arguments[0] == "list") return list();
    if (arguments.size() == 2 && arguments[0] == "ptx") return print_ptx(arguments[1]);
    if (arguments.size() == 1 && arguments[0] == "source") {
      std::cout << source_of(all_function_forms());
      return 0;
    }
    if (arguments.size() == 8 && arguments[0] == "run") return run({arguments.begin() + 1, arguments.end()});
    std::cerr << "record_device: what to do? The first lines of record_device.cpp say it.\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "record_device: " << error.what() << '\n';
    return 1;
  }
}
