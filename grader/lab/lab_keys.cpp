// The tables of keys. Defaults come from the structs that the reader fills.
#include "lab/lab_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "lab/lab.h"

namespace cudalabs {
namespace {

const KeyTable& contract_keys() {
  static const KeyTable kTable{
      "[contract]",
      "Which files make up the lab, and what the student must define. All files lie in the lab's folder.",
      {{"header", KeyType::text, "", "", "The contract: the header that declares the functions. Read-only."},
       {"source", KeyType::text, "", "", "The skeleton: the file that the student edits."},
       {"runner", KeyType::text, fmt::format("`\"{}\"`", Contract{}.runner), "",
        "How the grader calls the contract: takes the inputs, calls the functions, gives the outputs back."},
       {"functions", KeyType::texts, "", "", "The functions that the submission must define."}}};
  return kTable;
}

const KeyTable& device_keys() {
  static const KeyTable kTable{
      "[device]",
      "Which GPU the virtual GPU poses as.",
      {{"model", KeyType::text, "", "",
        "A named GPU: the name of a file in `grader/vgpu/model/gpus/`. It gives the limits of a launch, the properties "
        "that a program can ask for, and the modelled times."}}};
  return kTable;
}

const KeyTable& limits_keys() {
  const Limits limits;
  static const KeyTable kTable{
      "[limits]",
      "What one run of one case may use. Each limit has its own verdict when a run reaches it. Times are for a server "
      "of 2023: a slower machine, which the grader measures, gives as much more.",
      {{"cpu_seconds", KeyType::positive, fmt::format("{}", limits.cpu_seconds), "seconds of processor time",
        "For the host process: the student's host code and the runner."},
       {"wall_seconds", KeyType::positive, fmt::format("{}", limits.wall_seconds), "seconds",
        "For the whole case, from its start to its end."},
       {"kernel_seconds", KeyType::positive, fmt::format("{}", limits.kernel_seconds), "seconds of processor time",
        "For one launch on the virtual GPU, and for each of its workers."},
       {"kernel_instructions", KeyType::positive_count, "no limit", "warp instructions",
        "For one block of a launch on the virtual GPU. Unlike a time it is the same on every machine."},
       {"memory_mib", KeyType::positive_count, fmt::format("{}", limits.memory_mib), "MiB", "For the host process."},
       {"device_mib", KeyType::positive_count, fmt::format("{}", limits.device_mib), "MiB",
        "Memory of the virtual GPU."},
       {"output_kib", KeyType::positive_count, fmt::format("{}", limits.output_kib), "KiB",
        "What the program prints, `stdout` and `stderr` together."},
       {"processes", KeyType::positive_count, fmt::format("{}", limits.processes), "processes and threads",
        "For the host process and all that it starts."},
       {"cases_at_a_time", KeyType::positive_count, fmt::format("{}", limits.cases_at_a_time), "cases",
        "How many cases run side by side. 1 where a lab measures times."}}};
  return kTable;
}

const KeyTable& check_keys() {
  static const KeyTable kTable{
      "[[checks]]",
      "The rubric: one check for each. What it `asks` decides it. A check that asks for nothing is special to the lab: "
      "the Catch2 test case that carries the tags of the lab's id and of the check's id decides it, in "
      "`grader/check/checks/`. A check earns all of its points or none; only a check of category speed can earn a "
      "part.",
      {{"id", KeyType::text, "", "", "The check's name: a-z, 0-9 and _, a letter first. No two checks share one."},
       {"title", KeyType::text, "", "", "The sentence that the student reads."},
       {"category", KeyType::text, "", "", "`build`, `correctness`, `sync`, `speed` or `quality`."},
       {"points", KeyType::number, "", "points", "What the check earns. Over all checks the sum must be above 0."},
       {"needs", KeyType::texts, "none", "",
        "Ids of checks further up. Where one of them did not pass, this check is skipped."},
       {"asks", KeyType::texts, "a test case decides", "",
        "What must be so, in this order: `builds`; `right-results`; `complete-results`: every element was written, and "
        "is finite where it has to be; `message-on-failure`: something is printed where a call is made to fail; "
        "`fast-enough`: what `[[speed]]` says of this check; `no NAME` or `no NAME or NAME`: no such finding, where a "
        "name is a finding's id, or `memory-errors`, `races` or `barrier-errors` for all of a kind."},
       {"cases", KeyType::text, "`\"tagged\"`", "",
        "The cases that the check looks at: `tagged` with its id, or all where none is; `all`; or `undisturbed`, all "
        "in "
        "which no call is made to fail."},
       {"output", KeyType::text, "all", "", "The one output that `right-results` is about."},
       {"help", KeyType::text, "", "",
        "What to read or to do when the check fails; of one of category `build`, when the contract is not kept."}}};
  return kTable;
}

const KeyTable& explanation_keys() {
  static const KeyTable kTable{
      "[[explanations]]",
      "What the report says of a wrong result whose cause this lab knows. They are tried before what holds for every "
      "lab, in this order.",
      {{"detector", KeyType::text, "", "",
        "What is recognised: a name that a file in `grader/check/detectors/` registers."},
       {"what", KeyType::text, "", "",
        "What is so, after \"`c` is wrong: \". `{name}` stands for a number that the detector found."},
       {"help", KeyType::text, "", "", "What to do about it."}}};
  return kTable;
}

const KeyTable& threshold_keys() {
  static const KeyTable kTable{
      "[[speed.thresholds]]",
      "What speed earns on one kind of device. The ratio is the submission's speed over the baseline's: no points up "
      "to `none`, all of them from `full` on, a straight line between the two. One entry must be for `\"any\"`.",
      {{"device", KeyType::text, "", "", "A named GPU as in `[device]`, or `\"any\"`. Each device once."},
       {"none", KeyType::number, "", "ratio", "Up to this ratio there are no points."},
       {"full", KeyType::number, "", "ratio", "From this ratio on there are all points. Above `none`."},
       {"honours", KeyType::number, "nothing is", "ratio",
        "From this ratio on the report says that the submission is far beyond what the lab asks. Not below `full`."},
       {"source", KeyType::text, "", "", "Where the figures come from. For the reader of the file."}}};
  return kTable;
}

const KeyTable& speed_keys() {
  static const KeyTable kTable{
      "[[speed]]",
      "How the lab's function is timed, and against what. Each check of category `speed` has exactly one. Where the "
      "baseline does other work than the function, `baseline_bytes` or `baseline_operations` says how much, and rates "
      "are compared in place of times.",
      {{"check", KeyType::text, "", "", "Id of the check that the time decides; of category `speed`."},
       {"work", KeyType::text, "the generator's name", "",
        "What is timed: a name that a file in `datasets/` registers."},
       {"parameters", KeyType::integers, "", "", "The size that is measured on a real GPU, as in `[[cases]]`."},
       {"modelled_parameters", KeyType::integers, "", "",
        "The size for the virtual GPU, which executes a sample of the blocks but holds all of the data."},
       {"unit", KeyType::text, "`\"call\"`", "",
        "What is timed: `\"call\"`, a call of the function, or `\"launch\"`, its kernels alone."},
       {"bytes", KeyType::number, "", "bytes", "What one unit must move at least, reading and writing."},
       {"operations", KeyType::number, "", "floating-point operations", "What one unit must compute at least."},
       {"baseline", KeyType::text, "", "", "The name of a folder in `grader/speed/pinned/`."},
       {"baseline_parameters", KeyType::integers, "", "", "The baseline's size on a real GPU."},
       {"modelled_baseline_parameters", KeyType::integers, "", "", "The baseline's size on the virtual GPU."},
       {"baseline_bytes", KeyType::number, "the same work", "bytes",
        "What the baseline moves, to compare bytes a second. Not with `baseline_operations`."},
       {"baseline_operations", KeyType::number, "the same work", "floating-point operations",
        "What the baseline computes, to compare operations a second. Not with `baseline_bytes`."},
       {"thresholds", KeyType::tables, "", "", "See", &threshold_keys()}}};
  return kTable;
}

const KeyTable& fault_keys() {
  static const KeyTable kTable{
      "faults",
      "Which calls of the program the virtual GPU makes fail in this case, as a device does that is out of memory or "
      "resources. Calls of a kind count from 1, those of the runner included. At least one of `allocation`, "
      "`copy`, `launch`, `last_launch` and `kernel` must be there. With `after`, calls count from the beginning of the "
      "second call. Without `message_only` the outputs must be all right or untouched.",
      {{"allocation", KeyType::positive_count, "none fails", "", "Which allocation fails: 3 is the third."},
       {"copy", KeyType::positive_count, "none fails", "",
        "Which copy between host and device memory fails, and copies nothing: 2 is the second."},
       {"launch", KeyType::positive_count, "none fails", "", "Which launch fails: 1 is the first."},
       {"function", KeyType::positive_count, "1", "",
        "Calls count from the beginning of this function on: 2 is the one behind the runner's first "
        "`call.next_function()`."},
       {"last_launch", KeyType::flag, "false", "",
        "The last launch fails; a run in which nothing fails counts them. Not with `launch`, `function` or "
        "`after`."},
       {"kernel", KeyType::positive_count, "none fails", "",
        "Which launch succeeds and starts a kernel that fails while it runs: who waits for it, and every call after "
        "that, gets `cudaErrorLaunchFailure`. Outputs on the device are lost with it."},
       {"illegal_address", KeyType::flag, "false", "",
        "With `kernel`: the error is `cudaErrorIllegalAddress`, so that who asks for one error alone is found."},
       {"message_only", KeyType::flag, "false", "",
        "The function returns nothing and promises no output: the case asks only that the program prints a message. "
        "With `launch` or `last_launch` alone."}}};
  return kTable;
}

const KeyTable& case_keys() {
  static const KeyTable kTable{
      "[[cases]]",
      "The test cases. The lab's generator in `datasets/` makes the data from the parameters and the seed.",
      {{"name", KeyType::text, "", "",
        "The case's name: a-z, 0-9 and _, a letter first. Unique over `lab.toml` and `hidden.toml` together."},
       {"title", KeyType::text, "", "", "What is special about it, for the report."},
       {"parameters", KeyType::integers, "", "",
        "What the generator makes the data from, and what the runner is told. The generator says which names there are "
        "and what their ranges are."},
       {"after", KeyType::text, "the function is called once", "",
        "A case that stands before. The function is called with its data first, in the same process, and then with "
        "that of this case, which is what counts: what a program keeps between two calls is out of date then. Where "
        "that case has `faults`, calls fail the first time only: the function must work again."},
       {"large", KeyType::flag, "false", "",
        "The case takes long where a loop is wrong. It runs after all others, and only where the results of one of its "
        "checks were right in all of them: elsewhere it can cost no more points, and would use up the time."},
       {"faults", KeyType::table, "no call fails", "", "See", &fault_keys()},
       {"tags", KeyType::texts, "none", "", "Ids of the checks that look at the case."}}};
  return kTable;
}

const KeyTable& boundary_case_keys() {
  static const KeyTable kTable{
      "[boundary_cases]",
      "Shapes that are tried besides the cases: those next to the numbers that the submission's own text has, such as "
      "the size of its blocks and the products of its constants. There are at most four, two more with `most_of_two`, "
      "and one more for each size with `most_alone`; they run like `large` cases, each after the one before, and are "
      "named `boundary_1` and so on.",
      {{"sizes", KeyType::texts, "", "", "The parameters that give the shape."},
       {"parameters", KeyType::integers, "none", "", "The other parameters, as in `[[cases]]`."},
       {"tags", KeyType::texts, "", "", "Ids of the checks that look at these cases."},
       {"most_work", KeyType::positive_count, "", "", "The largest product of the sizes."},
       {"most_of_two", KeyType::positive_count, "none are tried", "",
        "How large the first and the last size may be, multiplied, where each is next to another number and the rest "
        "is 1: once the first is the larger one, once the last. A loop over rows may have the step of one over "
        "columns."},
       {"most_alone", KeyType::positive_count, "none is tried", "",
        "How large each size may be where it is tried with all others 1, as where a grid ends before what it works on "
        "does."},
       {"most_failing", KeyType::positive_count, "no launch fails", "",
        "The largest size of one more case, `boundary_launch`, in which the last launch fails: of a program that goes "
        "through its data in parts, a part before that is done by then. Of the largest number in the text with which "
        "it is "
        "larger than the lab's own cases of `last_launch`. Where `sizes` has one parameter."},
       {"failing_tags", KeyType::texts, "none", "", "Ids of the checks that look at that case; with `most_failing`."}}};
  return kTable;
}

}  // namespace

std::string_view words_of(KeyType type) {
  switch (type) {
    case KeyType::text:
      return "a string";
    case KeyType::texts:
      return "an array of strings";
    case KeyType::number:
      return "a number, 0 or above";
    case KeyType::positive:
      return "a number above 0";
    case KeyType::count:
      return "an integer, 0 or above";
    case KeyType::positive_count:
      return "an integer above 0";
    case KeyType::flag:
      return "true or false";
    case KeyType::moment:
      return "a date and time with an offset";
    case KeyType::integers:
      return "a table of integers";
    case KeyType::table:
      return "a table";
    case KeyType::tables:
      return "an array of tables";
  }
  return "";
}

const Key* KeyTable::find(std::string_view name) const {
  const auto found = std::ranges::find(keys, name, &Key::name);
  return found == keys.end() ? nullptr : &*found;
}

const KeyTable& lab_keys() {
  static const KeyTable kTable{
      "lab.toml",
      "A lab as data, in the lab's folder under `labs/`.",
      {{"id", KeyType::text, "", "", "The lab's short name, `\"lab3\"`: its folder's name up to the first `_`."},
       {"title", KeyType::text, "", "", "The lab's title."},
       {"task", KeyType::text, "none", "",
        "What the student writes. With `teaches` a row of the table of labs in README.md."},
       {"teaches", KeyType::text, "none", "", "What that teaches."},
       {"generator", KeyType::text, "the folder's name", "",
        "Who makes the data: a name that a file in `datasets/` registers."},
       {"seed", KeyType::count, fmt::format("{}", Lab{}.seed), "", "What the data of the visible cases is made from."},
       {"contract", KeyType::table, "", "", "See", &contract_keys()},
       {"device", KeyType::table, fmt::format("model `\"{}\"`", Lab{}.device_model), "", "See", &device_keys()},
       {"limits", KeyType::table, "each limit's default", "", "See", &limits_keys()},
       {"checks", KeyType::tables, "", "", "See", &check_keys()},
       {"speed", KeyType::tables, "nothing is timed", "", "See", &speed_keys()},
       {"explanations", KeyType::tables, "none", "", "See", &explanation_keys()},
       {"cases", KeyType::tables, "", "", "See", &case_keys()},
       {"boundary_cases", KeyType::table, "no others are tried", "", "See", &boundary_case_keys()}}};
  return kTable;
}

const KeyTable& baseline_keys() {
  static const KeyTable kTable{
      "baseline.toml",
      "A program of the grader's own that submissions are compared with, in a folder of its name in "
      "`grader/speed/pinned/`.",
      {{"title", KeyType::text, "", "", "What it is, for the report: \"a copy within the device\"."},
       {"work", KeyType::text, "", "", "What is timed: a name that a file in `datasets/` registers."},
       {"on_host", KeyType::flag, "false", "",
        "Whether it works on the host, with its inputs in host memory. The model knows nothing of the host."},
       {"copies", KeyType::flag, "false", "",
        "Whether it only copies floats within the device: its modelled time then follows from the GPU's bandwidth."},
       {"contract", KeyType::table, "", "", "See", &contract_keys()}}};
  return kTable;
}

const KeyTable& hidden_keys() {
  static const KeyTable kTable{
      "hidden.toml",
      "Cases that students do not see, in the lab's folder under `solutions/`. They come after those of `lab.toml`. "
      "Where the file is not there, as in what students get, there are none.",
      {{"seed", KeyType::count, "", "", "What the data of the hidden cases is made from, in place of the lab's seed."},
       {"cases", KeyType::tables, "", "", "As in `lab.toml`:", &case_keys()}}};
  return kTable;
}

}  // namespace cudalabs
