// The accesses of a warp as a picture: lanes above, sectors or banks below.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "report/access_picture.h"
#include "report/layout.h"
#include "report/printable.h"
#include "report/shown_line.h"
#include "report/svg.h"
#include "vgpu/profile/access_pattern.h"

namespace cudalabs {
namespace {

// User units.
constexpr double kMargin = 24, kCell = 34, kLeft = 110, kWidth = kLeft + 32 * kCell + kMargin;
constexpr double kHead = 108;                     // of the picture
constexpr double kPanel = 262;                    // one instruction
constexpr double kLanesAt = 88, kMemoryAt = 186;  // in a panel
constexpr double kBox = 26;                       // height of a lane, a sector and a bank
constexpr std::size_t kLineColumns = 100;         // of source

/// Neighbouring sectors are told apart by their tint; passes beyond the first are alarming.
constexpr std::array<std::string_view, 2> kTints{color::kBusyLight, color::kGoodLight};

/// The line of source, and below it what the instruction does, with a caret at its column.
std::array<std::string, 2> source_of(const vgpu::AccessSample& sample, const SourceText& sources) {
  const std::string number = std::to_string(sample.where.line) + "  ", deed = deed_of(sample);
  const auto shown = shown_line(sources, sample.where);
  if (!shown) return {number, deed};
  const std::size_t indent = shown->text.find_first_not_of(' ');
  const std::string text = number + shorten(shown->text.substr(indent), kLineColumns);
  const std::size_t column = number.size() + shown->column - indent;
  if (sample.where.column == 0 || column > kLineColumns) return {text, deed};
  if (column + 2 + deed.size() <= kLineColumns) return {text, std::string(column, ' ') + "^ " + deed};
  return {text, std::string(column > deed.size() + 1 ? column - deed.size() - 1 : 0, ' ') + deed + " ^"};
}

class AccessDrawing {
 public:
  AccessDrawing(const AccessPicture& picture, const SourceText& sources)
      : picture_(picture),
        sources_(sources),
        svg_(kWidth, kHead + kPanel * static_cast<double>(std::max<std::size_t>(1, picture.samples.size())),
             fmt::format("{}: accesses of one warp in {}", printable_line(picture.lab), printable_line(picture.test)),
             description()) {}

  std::string draw() {
    svg_.text(kMargin, 30, printable_line(picture_.lab) + ": how one warp accesses memory",
              {.size = 24, .anchor = "start", .bold = true});
    svg_.text(kMargin, 60, printable_line(picture_.test), {.size = 17, .anchor = "start"});
    svg_.text(kMargin, 86,
              "above: its 32 lanes, crossed out where they take no part; below: the sectors of 32 bytes, or the banks, "
              "that they access",
              {.size = 16, .anchor = "start", .fill = color::kFaint});
    if (picture_.samples.empty()) {
      svg_.text(kMargin, kHead + 30, "the kernel accessed neither global nor shared memory", {.anchor = "start"});
    }
    double top = kHead;
    for (const vgpu::AccessSample& sample : picture_.samples) {
      panel(sample, top);
      top += kPanel;
    }
    return svg_.str();
  }

 private:
  std::string description() const {
    std::string text;
    for (const vgpu::AccessSample& sample : picture_.samples) {
      text += fmt::format("Line {} {}. {}: {}. ", sample.where.line, deed_of(sample), vgpu::pattern_of(sample),
                          vgpu::cost_in_words(sample));
    }
    return text;
  }

  static double lane_x(std::uint32_t lane) { return kLeft + kCell * (lane + 0.5); }

  void panel(const vgpu::AccessSample& sample, double top) {
    const bool wasteful = vgpu::wastes(sample);
    svg_.line(kMargin, top, kWidth - kMargin, top, color::kFaint, 1);
    const auto [source, deed] = source_of(sample, sources_);
    svg_.text(kMargin, top + 22, source, {.size = 17, .anchor = "start", .monospace = true, .keep_spaces = true});
    svg_.text(kMargin, top + 42, deed,
              {.size = 17, .anchor = "start", .fill = color::kBusy, .monospace = true, .keep_spaces = true});
    const std::string absence = absence_of(sample);
    svg_.text(kMargin, top + 68,
              fmt::format("{}: {}{}", vgpu::pattern_of(sample), vgpu::cost_in_words(sample),
                          absence.empty() ? "" : "; " + absence),
              {.size = 17, .anchor = "start", .fill = wasteful ? color::kAccent : color::kGood, .bold = true});
    svg_.text(kMargin, top + kLanesAt + kBox / 2, "lane", {.size = 16, .anchor = "start"});
    // Lines first, so that the boxes lie on top of them.
    if (sample.space == vgpu::MemorySpace::shared) {
      banks(sample, top);
    } else {
      sectors(sample, top);
    }
    lanes(sample, top);
    svg_.text(kMargin, top + kPanel - 14, warp_of(sample), {.size = 14, .anchor = "start", .fill = color::kFaint});
  }

  void lanes(const vgpu::AccessSample& sample, double top) {
    const auto shares = vgpu::shares_of_lanes(sample);
    for (std::uint32_t lane = 0; lane < vgpu::kWarpSize; ++lane) {
      const double x = lane_x(lane) - kCell / 2 + 2, width = kCell - 4;
      if (!shares[lane]) {
        svg_.rectangle(x, top + kLanesAt, width, kBox, color::kPaper, color::kFaint, 0.5);
        svg_.line(x, top + kLanesAt + kBox, x + width, top + kLanesAt, color::kFaint, 0.5, true);
      } else {
        svg_.rectangle(x, top + kLanesAt, width, kBox, tint(sample, *shares[lane]), color::kInk, 0.75);
      }
      svg_.text(lane_x(lane), top + kLanesAt + kBox / 2, std::to_string(lane),
                {.size = 14, .fill = shares[lane] ? color::kInk : color::kFaint});
    }
  }

  static std::string_view tint(const vgpu::AccessSample& sample, unsigned share) {
    if (sample.space != vgpu::MemorySpace::shared) return kTints[share % kTints.size()];
    const vgpu::AccessCost cost = vgpu::cost_of(sample);
    return share < cost.ideal ? color::kGoodLight : color::kIdle;
  }

  void connect(std::uint32_t lane, double x, double top, std::string_view stroke) {
    svg_.line(lane_x(lane), top + kLanesAt + kBox, x, top + kMemoryAt, stroke, 1);
  }

  /// The touched sectors only, in the order of addresses, with a gap where untouched ones lie between.
  void sectors(const vgpu::AccessSample& sample, double top) {
    std::set<std::uint64_t> touched;
    for (std::uint32_t lane = 0; lane < vgpu::kWarpSize; ++lane) {
      if (takes_part(sample, lane)) touched.insert(sample.address[lane] / vgpu::kSectorBytes);
    }
    constexpr double kGap = 6, kWidest = 8 * kCell;
    const double width = std::min(kWidest, 32 * kCell / static_cast<double>(touched.size()) - kGap);
    std::map<std::uint64_t, double> left;
    double x = kLeft;
    unsigned number = 0;
    const bool all_labels = touched.size() <= 8;
    svg_.text(kMargin, top + kMemoryAt + kBox / 2, "sector", {.size = 16, .anchor = "start"});
    for (const std::uint64_t sector : touched) {
      if (number > 0) x += touched.contains(sector - 1) ? 1 : kGap;
      left[sector] = x;
      const bool starts_run = !touched.contains(sector - 1);
      svg_.rectangle(x, top + kMemoryAt, width, kBox, kTints[number % kTints.size()], color::kInk, 0.75);
      if (starts_run && (all_labels || number == 0 || number + 1 == touched.size())) {
        svg_.text(x + width / 2, top + kMemoryAt + kBox + 14, offset_text(sample, sector), {.size = 14});
      }
      x += width;
      ++number;
    }
    for (std::uint32_t lane = 0; lane < vgpu::kWarpSize; ++lane) {
      if (!takes_part(sample, lane)) continue;
      const double within = static_cast<double>(sample.address[lane] % vgpu::kSectorBytes) + sample.bytes / 2.0;
      connect(lane, left[sample.address[lane] / vgpu::kSectorBytes] + width * within / vgpu::kSectorBytes, top,
              vgpu::wastes(sample) ? color::kAccent : color::kBusy);
    }
  }

  static bool takes_part(const vgpu::AccessSample& sample, std::uint32_t lane) {
    return (sample.active >> lane & 1) != 0;
  }

  static std::string offset_text(const vgpu::AccessSample& sample, std::uint64_t sector) {
    const std::uint64_t address = sector * vgpu::kSectorBytes;
    return address >= sample.region ? fmt::format("byte {}", address - sample.region) : fmt::format("{:#x}", address);
  }

  void banks(const vgpu::AccessSample& sample, double top) {
    std::array<std::set<std::uint64_t>, vgpu::kBanks> words;
    for (std::uint32_t lane = 0; lane < vgpu::kWarpSize; ++lane) {
      if (!takes_part(sample, lane)) continue;
      const std::uint64_t first = sample.address[lane] / vgpu::kBankBytes;
      const std::uint64_t last = (sample.address[lane] + sample.bytes - 1) / vgpu::kBankBytes;
      for (std::uint64_t word = first; word <= last; ++word) words[word % vgpu::kBanks].insert(word);
      connect(lane, lane_x(static_cast<std::uint32_t>(first % vgpu::kBanks)), top,
              vgpu::wastes(sample) ? color::kAccent : color::kBusy);
    }
    svg_.text(kMargin, top + kMemoryAt + kBox / 2, "bank", {.size = 16, .anchor = "start"});
    for (std::uint32_t bank = 0; bank < vgpu::kBanks; ++bank) {
      const std::size_t wanted = words[bank].size();
      const bool crowded = vgpu::wastes(sample) && wanted > 1;
      svg_.rectangle(lane_x(bank) - kCell / 2 + 2, top + kMemoryAt, kCell - 4, kBox,
                     wanted == 0 ? color::kPaper
                     : crowded   ? color::kIdle
                                 : color::kGoodLight,
                     color::kInk, 0.75);
      svg_.text(lane_x(bank), top + kMemoryAt + kBox / 2, std::to_string(bank), {.size = 14});
      if (crowded) {
        svg_.text(lane_x(bank), top + kMemoryAt + kBox + 14, fmt::format("{}×", wanted),
                  {.size = 14, .fill = color::kAccent});
      }
    }
  }

  const AccessPicture& picture_;
  const SourceText& sources_;
  Svg svg_;
};

}  // namespace

std::string render_access_svg(const AccessPicture& picture, const SourceText& sources) {
  return AccessDrawing(picture, sources).draw();
}

}  // namespace cudalabs
