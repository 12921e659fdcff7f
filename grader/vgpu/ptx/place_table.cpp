// Callers of places that were inlined, and what is shown of them.
#include "vgpu/ptx/place_table.h"

#include "vgpu/ptx/library_files.h"

namespace cudalabs::vgpu::ptx {

void PlaceTable::begin_function() {
  latest_.clear();
  callers_.clear();
  row_.reset();
}

std::uint32_t PlaceTable::add(const Location& place, const std::optional<Inlined>& inlined) {
  const std::uint32_t number = append(place, inlined ? caller_of(*inlined) : 0);
  latest_[place] = number;
  row_ = number;
  return number;
}

/// A place may have been inlined several times. Compilers give each call that is inlined a `.loc` of its own, directly
/// before that of the first code out of it. Code that comes later, as when code of two calls is mixed, has the caller
/// that its function had there before.
std::uint32_t PlaceTable::caller_of(const Inlined& inlined) {
  const Location& call = inlined.call;
  const Callee callee{inlined.function, inlined.offset, call.file, call.line, call.column};
  const auto is_there = [&](const Location& place) {
    return place.file == call.file && place.line == call.line && place.column == call.column;
  };
  const auto known = callers_.find(callee);
  std::uint32_t caller = 0;
  if (row_ && is_there(places_[*row_].at)) {
    caller = *row_;
  } else if (known != callers_.end()) {
    caller = known->second;
  } else if (const auto latest = latest_.find(call); latest != latest_.end()) {
    caller = latest->second;
  } else {
    caller = append(call, 0);
  }
  callers_[callee] = caller;
  return caller;
}

std::uint32_t PlaceTable::append(const Location& place, std::uint32_t caller) {
  places_.push_back({place, caller});
  return static_cast<std::uint32_t>(places_.size() - 1);
}

std::vector<Location> PlaceTable::shown(std::span<const std::string> files) const {
  std::vector<bool> of_library;
  for (const std::string& file : files) of_library.push_back(is_of_library(file));
  std::vector<std::uint32_t> outermost(places_.size()), own(places_.size()), in_outer_file(places_.size());
  std::vector<Location> shown(places_.size());
  for (std::uint32_t i = 1; i < places_.size(); ++i) {
    const auto& [at, caller] = places_[i];
    outermost[i] = caller == 0 ? i : outermost[caller];
    own[i] = at.file < of_library.size() && of_library[at.file] ? own[caller] : i;
    in_outer_file[i] = at.file == places_[outermost[i]].at.file ? i : in_outer_file[caller];
    shown[i] = places_[own[i] != 0 ? own[i] : in_outer_file[i]].at;
  }
  return shown;
}

}  // namespace cudalabs::vgpu::ptx
