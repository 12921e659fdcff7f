// The accesses of a warp on a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "report/access_picture.h"
#include "report/layout.h"
#include "report/paint.h"
#include "report/printable.h"
#include "report/shown_line.h"
#include "vgpu/profile/access_pattern.h"

namespace cudalabs {
namespace {

constexpr std::size_t kNarrowestPicture = 44;
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEF";
constexpr std::string_view kDigits = "123456789abcdefghijklmnopqrstuvw";
static_assert(kLetters.size() == vgpu::kWarpSize && kDigits.size() == vgpu::kWarpSize);

class AccessText {
 public:
  AccessText(const AccessPicture& picture, const SourceText& sources, const TerminalStyle& style)
      : picture_(picture),
        sources_(sources),
        width_(std::max<std::size_t>(style.width, kNarrowestPicture)),
        paint_(style) {
    for (const auto& sample : picture.samples) gutter_ = std::max(gutter_, std::to_string(sample.where.line).size());
  }

  std::string text() {
    const std::string title = fmt::format("accesses of one warp in {}", printable_line(picture_.test));
    for (const std::string& line : wrap(title, width_)) out_ += paint_.bold(line) + '\n';
    if (picture_.samples.empty()) {
      paragraph("the kernel accessed neither global nor shared memory there");
      return std::move(out_);
    }
    paragraph(
        "One sign for each of the 32 lanes. Global memory: a letter for each sector of 32 bytes. Shared memory: the "
        "pass in which the banks serve the lane. A dot: it takes no part.");
    std::string warp;
    for (const vgpu::AccessSample& sample : picture_.samples) {
      if (warp_of(sample) != warp) {
        warp = warp_of(sample);
        out_ += '\n' + printable_line(warp) + '\n';
      }
      show(sample);
    }
    advice();
    return std::move(out_);
  }

 private:
  void paragraph(const std::string& text) {
    for (const std::string& line : wrap(text, width_)) out_ += line + '\n';
  }

  std::size_t room() const { return width_ - gutter_ - 5; }

  void note(const std::string& text) { out_ += std::string(gutter_ + 3, ' ') + paint_.frame("|") + ' ' + text + '\n'; }

  void notes(const std::string& text) {
    for (const std::string& line : wrap(text, room())) note(line);
  }

  void show(const vgpu::AccessSample& sample) {
    const auto shown = shown_line(sources_, sample.where);
    out_ += paint_.frame(fmt::format("  {:>{}} |", sample.where.line, gutter_));
    if (shown) out_ += ' ' + shorten(shown->text, room());
    out_ += '\n';
    const std::string deed = deed_of(sample);
    if (shown && sample.where.column != 0 && shown->column + 2 + display_width(deed) <= room()) {
      note(std::string(shown->column, ' ') + paint_.frame("^") + ' ' + deed);
    } else {
      if (shown && sample.where.column != 0 && shown->column < room()) {
        note(std::string(shown->column, ' ') + paint_.frame("^"));
      }
      notes(deed);
    }
    note(strip(sample));
    const std::string absence = absence_of(sample);
    const std::string cost = vgpu::pattern_of(sample) + ": " + vgpu::cost_in_words(sample);
    for (const std::string& line : wrap(cost + (absence.empty() ? "" : "; " + absence), room())) {
      note(vgpu::wastes(sample) ? paint_.in_color_of(Severity::warning, line) : line);
    }
  }

  static std::string strip(const vgpu::AccessSample& sample) {
    const bool shared = sample.space == vgpu::MemorySpace::shared;
    const auto shares = vgpu::shares_of_lanes(sample);
    std::string text;
    for (std::uint32_t lane = 0; lane < vgpu::kWarpSize; ++lane) {
      if (lane != 0 && lane % 8 == 0) text += ' ';
      // Passes beyond those there are signs for (wide accesses, every lane in one bank) share the last one.
      const auto sign = std::min<std::size_t>(shares[lane].value_or(0), vgpu::kWarpSize - 1);
      text += !shares[lane] ? '.' : shared ? kDigits[sign] : kLetters[sign];
    }
    return text;
  }

  void advice() {
    bool global = false, shared = false;
    for (const vgpu::AccessSample& sample : picture_.samples) {
      if (vgpu::wastes(sample)) (sample.space == vgpu::MemorySpace::shared ? shared : global) = true;
    }
    out_ += '\n';
    if (global) {
      paragraph(
          "help: a warp fetches whole sectors: let neighbouring lanes access neighbouring addresses, `threadIdx.x` "
          "along the row");
    }
    if (shared) {
      paragraph(
          "help: lanes meet in a bank when their addresses differ by a multiple of 128 bytes: one more element in each "
          "row of the array, such as `[32][33]`, moves them apart");
    }
    if (!global && !shared) paragraph("no access of this warp costs much more than its bytes need");
  }

  const AccessPicture& picture_;
  const SourceText& sources_;
  std::size_t width_;
  Paint paint_;
  std::size_t gutter_ = 1;
  std::string out_;
};

}  // namespace

std::string deed_of(const vgpu::AccessSample& access) {
  const std::string_view space = access.space == vgpu::MemorySpace::shared ? "shared" : "global";
  const std::string bytes = access.bytes == 1 ? "1 byte" : fmt::format("{} bytes", access.bytes);
  std::string text;
  switch (access.kind) {
    case vgpu::AccessKind::load:
      text = fmt::format("loads {} a lane from {} memory", bytes, space);
      break;
    case vgpu::AccessKind::store:
      text = fmt::format("stores {} a lane to {} memory", bytes, space);
      break;
    case vgpu::AccessKind::atomic:
      text = fmt::format("updates {} a lane in {} memory, atomically", bytes, space);
      break;
  }
  if (!access.name.empty()) text += fmt::format(" (`{}`)", printable_line(access.name));
  return text;
}

std::string absence_of(const vgpu::AccessSample& access) {
  const int threads = std::popcount(access.present), off = std::popcount(access.present & ~access.active);
  const int lanes = static_cast<int>(vgpu::kWarpSize);
  if (threads < lanes) {
    return fmt::format("the warp has {} {}", threads, threads == 1 ? "thread" : "threads") +
           (off > 0 ? fmt::format(", {} of them off", off) : "");
  }
  if (off == 0) return {};
  return fmt::format("{} {} off", off, off == 1 ? "lane is" : "lanes are");
}

std::string warp_of(const vgpu::AccessSample& access) {
  return fmt::format("`{}`, block ({}, {}, {}), warp {}", printable_line(access.kernel), access.block[0],
                     access.block[1], access.block[2], access.warp);
}

std::string render_accesses(const AccessPicture& picture, const SourceText& sources, const TerminalStyle& style) {
  return AccessText(picture, sources, style).text();
}

}  // namespace cudalabs
