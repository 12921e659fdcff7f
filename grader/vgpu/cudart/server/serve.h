// The server as a process: one client on a connected socket, one report when it is gone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vgpu/cudart/server/session.h"
#include "vgpu/cudart/server_report.h"

namespace cudalabs::vgpu {

struct ServeOptions {
  int connection = -1;                      // connected Unix stream socket; closed at the end
  int report = -1;                          // where the JSON report is written; closed at the end
  std::string model = "t4";                 // as device_model() takes it
  bool check_races = true;                  // and barriers that order nothing
  bool check_initialized = true;            // uninitialised reads
  bool tries_unwritten_values = false;      // as in VirtualGpuOptions
  bool access_counters = true;              // counters of memory accesses: without them kernels run faster
  bool record_accesses = false;             // an example of every memory instruction in the report
  std::optional<std::uint64_t> order_seed;  // as in VirtualGpuOptions
  std::uint64_t sampled_blocks = 0;         // about as many blocks of a launch are executed; 0: all
  std::uint64_t reset_variables = 0;        // as in VirtualGpuOptions
  std::uint64_t output_kib = 0;             // of device printf that the program gets; 0: all of it
  std::uint64_t device_mib = 0;             // device memory; 0: what the model has
  double kernel_seconds = 0;                // processor time a worker may need for a launch; 0: no limit
  std::uint64_t instruction_limit = 0;      // warp instructions one block may execute; 0: no limit
  bool stops_slow_blocks = false;           // as in VirtualGpuOptions
  unsigned workers = 0;                     // threads that execute blocks; 0: one per core
  SessionFaults faults;                     // calls that are made to fail
  int transfers = -1;       // where a TransferLog is written as bytes, from the start; closed at the end; none: -1
  int replacements = -1;    // a file of Replacements as bytes; closed once read; none: -1
  int device_code = -1;     // a file of PTX in the place of the first that the program registers; closed once read
  int mutant_order = -1;    // a file of a MutantOrder as bytes; closed once read; none: -1
  int mutants = -1;         // where a MutantLog is written as bytes, if mutants were ordered; closed at the end
  int* ended_by = nullptr;  // where the signal goes that asked for an end
};

/// Serves until the client is gone, or SIGTERM or SIGINT asks for an end, and returns what was seen. Closes the
/// connection. Throws std::invalid_argument for an unknown model.
ServerReport serve_client(const ServeOptions& options);

/// serve_client, then writes the report. Returns a process's exit code: 0, or 1 when the report could not be written.
int serve(const ServeOptions& options);

}  // namespace cudalabs::vgpu
