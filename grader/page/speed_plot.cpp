// Speeds drawn.
#include "page/speed_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

namespace cudalabs::page {
namespace {

// User units.
constexpr double kWidth = 720, kHeight = 150, kLeft = 16, kRight = 704;
constexpr double kTop = 34, kAxis = 112, kMiddle = 74;
constexpr double kWide = 12;  // from this ratio of the largest to the smallest on, the axis is logarithmic

/// Ratios to places on the axis.
class Axis {
 public:
  explicit Axis(std::vector<double> values) {
    std::erase_if(values, [](double value) { return !(value > 0) || !std::isfinite(value); });
    values.push_back(1);  // as fast as the baseline
    const auto [least, most] = std::ranges::minmax(values);
    log_ = most / least > kWide;
    low_ = log_ ? std::log10(least) - 0.1 : 0;
    high_ = log_ ? std::log10(most) + 0.1 : most * 1.08;
  }

  double at(double value) const {
    const double place = log_ ? std::log10(std::max(value, 1e-9)) : value;
    return kLeft + (kRight - kLeft) * std::clamp((place - low_) / (high_ - low_), 0.0, 1.0);
  }

  /// Round numbers along the axis.
  std::vector<double> ticks() const {
    std::vector<double> all;
    if (log_) {
      for (double power = std::pow(10, std::floor(low_)); std::log10(power) <= high_; power *= 10) {
        for (const double times : {1.0, 2.0, 5.0}) {
          const double place = std::log10(power * times);
          if (place >= low_ && place <= high_) all.push_back(power * times);
        }
      }
      return all;
    }
    const double rough = high_ / 6, power = std::pow(10, std::floor(std::log10(rough)));
    const double step = power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1);
    for (int i = 0; i * step <= high_; ++i) all.push_back(i * step);
    return all;
  }

 private:
  bool log_ = false;
  double low_ = 0, high_ = 1;
};

class SpeedDrawing {
 public:
  explicit SpeedDrawing(const SpeedResult& result) : result_(result), axis_(values_of(result)) {}

  std::string text() {
    const double full = axis_.at(result_.full);
    if (result_.full > 0)
      add(R"(<rect class="zone" x="{:.1f}" y="{}" width="{:.1f}" height="{}"/>)", full, kTop, kRight - full,
          kAxis - kTop);
    for (const double tick : axis_.ticks()) {
      const double x = axis_.at(tick);
      add(R"(<line class="grid" x1="{0:.1f}" y1="{1}" x2="{0:.1f}" y2="{2}"/>)", x, kTop, kAxis);
      add(R"(<text class="faint" x="{:.1f}" y="{}" text-anchor="middle">{:.3g}</text>)", x, kAxis + 18, tick);
    }
    limit(result_.none, "no points", "end");
    limit(result_.full, "all points", "start");
    honours();
    measured();
    add(R"(<line class="axis" x1="{}" y1="{}" x2="{}" y2="{}"/>)", kLeft, kAxis, kRight, kAxis);
    add(R"(<text class="faint" x="{}" y="{}" text-anchor="end">times the speed of the baseline</text>)", kRight,
        kHeight - 4);
    return fmt::format("<svg class=\"plot\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}</svg>", kWidth,
                       kHeight, escaped(label()), body_);
  }

 private:
  static std::vector<double> values_of(const SpeedResult& result) {
    std::vector<double> values = result.ratios;
    values.insert(values.end(), {result.ratio, result.low, result.high, result.none, result.full, result.honours});
    return values;
  }

  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> form, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(body_), form, std::forward<Arguments>(arguments)...);
    body_ += '\n';
  }

  void limit(double value, std::string_view name, std::string_view anchor) {
    if (!(value > 0)) return;
    const double x = axis_.at(value), away = anchor == "end" ? -5 : 5;
    add(R"(<line class="limit" x1="{0:.1f}" y1="{1}" x2="{0:.1f}" y2="{2}"/>)", x, kTop - 8, kAxis);
    add(R"(<text x="{:.1f}" y="{}" text-anchor="{}">{} {} {:.3g}</text>)", x + away, kTop - 12, anchor, name,
        anchor == "end" ? "up to" : "from", value);
  }

  /// Lower than the other limits' names, which may be near.
  void honours() {
    if (!(result_.honours > 0)) return;
    const double x = axis_.at(result_.honours);
    const bool right = x < (kLeft + kRight) / 2;
    add(R"(<line class="limit" x1="{0:.1f}" y1="{1}" x2="{0:.1f}" y2="{2}"/>)", x, kTop, kAxis);
    add(R"(<text class="faint" x="{:.1f}" y="{}" text-anchor="{}">beyond what is asked from {:.3g}</text>)",
        x + (right ? 5 : -5), kAxis - 5, right ? "start" : "end", result_.honours);
  }

  void measured() {
    const double low = axis_.at(result_.low), high = axis_.at(result_.high), middle = axis_.at(result_.ratio);
    if (result_.low < result_.high && result_.low > 0)
      add(R"(<rect class="span" x="{:.1f}" y="{}" width="{:.1f}" height="44" rx="4"/>)", low, kMiddle - 22,
          std::max(high - low, 2.0));
    // One above the other, so that pairs of the same ratio are told apart.
    constexpr int kRows = 5, kMiddleRow = 2;
    for (std::size_t i = 0; i < result_.ratios.size(); ++i) {
      add(R"(<circle class="pair" cx="{:.1f}" cy="{:.1f}" r="3.2"/>)", axis_.at(result_.ratios[i]),
          kMiddle + (static_cast<int>(i % kRows) - kMiddleRow) * 7.0);
    }
    add(R"(<line class="middle" x1="{0:.1f}" y1="{1}" x2="{0:.1f}" y2="{2}"/>)", middle, kMiddle - 28, kMiddle + 28);
    const bool right = middle < (kLeft + kRight) / 2;
    add(R"(<text class="value" x="{:.1f}" y="{}" text-anchor="{}">{:.3g}</text>)", middle + (right ? 7 : -7),
        kMiddle - 22, right ? "start" : "end", result_.ratio);
  }

  std::string label() const {
    std::string text = fmt::format("{:.3g} times the speed of the baseline", result_.ratio);
    if (result_.low < result_.high) text += fmt::format(", between {:.3g} and {:.3g}", result_.low, result_.high);
    if (result_.full > 0) text += fmt::format("; no points up to {:.3g}, all from {:.3g}", result_.none, result_.full);
    if (result_.honours > 0) text += fmt::format("; beyond what is asked from {:.3g}", result_.honours);
    return text;
  }

  const SpeedResult& result_;
  Axis axis_;
  std::string body_;
};

}  // namespace

Markup speed_plot(const SpeedResult& result) {
  if (result.kind == SpeedResult::Kind::unknown || !(result.ratio > 0) || !std::isfinite(result.ratio)) return {};
  return Markup::made_here(SpeedDrawing(result).text());
}

Markup share_bar(double share, std::string_view name, std::string_view label) {
  const double width = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) * 100 : 0;
  const std::string read =
      label.empty() ? R"(aria-hidden="true")" : fmt::format(R"(role="img" aria-label="{}")", escaped(label));
  return Markup::made_here(fmt::format(
      "<svg class=\"{}\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" {}><rect class=\"track\" width=\"100\" "
      "height=\"10\"/><rect class=\"got\" width=\"{:.2f}\" height=\"10\"/></svg>",
      escaped(name), read, width));
}

}  // namespace cudalabs::page
