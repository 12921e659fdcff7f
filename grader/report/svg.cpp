// SVG text from shapes; numbers are printed with at most two decimals so that a picture's bytes never depend on the
// machine.
#include "report/svg.h"

#include <fmt/format.h>

#include <cmath>

#include "text/markup_escape.h"

namespace cudalabs {
namespace {

std::string number(double value) {
  const double rounded = std::round(value * 100) / 100;
  return fmt::format("{:g}", rounded == 0 ? 0.0 : rounded);
}

}  // namespace

Svg::Svg(double width, double height, std::string_view title, std::string_view description)
    : width_(width), height_(height), title_(escaped_markup(title)), description_(escaped_markup(description)) {}

void Svg::rectangle(double x, double y, double width, double height, std::string_view fill, std::string_view stroke,
                    double stroke_width) {
  body_ += fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" fill="{}" stroke="{}" stroke-width="{}"/>)"
                       "\n",
                       number(x), number(y), number(width), number(height), fill, stroke, number(stroke_width));
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view stroke, double width, bool dashed) {
  body_ += fmt::format(R"(<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="{}" stroke-width="{}"{}/>)"
                       "\n",
                       number(x1), number(y1), number(x2), number(y2), stroke, number(width),
                       dashed ? R"( stroke-dasharray="6 5")" : "");
}

void Svg::arrow(double x1, double y1, double x2, double y2, std::string_view stroke, double width) {
  const double length = std::hypot(x2 - x1, y2 - y1);
  if (length == 0) return;
  const double head = 4 + 2 * width;
  const double ux = (x2 - x1) / length, uy = (y2 - y1) / length;
  line(x1, y1, x2 - ux * head * 0.8, y2 - uy * head * 0.8, stroke, width);
  body_ += fmt::format(R"(<polygon points="{},{} {},{} {},{}" fill="{}"/>)"
                       "\n",
                       number(x2), number(y2), number(x2 - ux * head - uy * head * 0.5),
                       number(y2 - uy * head + ux * head * 0.5), number(x2 - ux * head + uy * head * 0.5),
                       number(y2 - uy * head - ux * head * 0.5), stroke);
}

void Svg::circle(double x, double y, double radius, std::string_view fill, std::string_view stroke) {
  body_ += fmt::format(R"(<circle cx="{}" cy="{}" r="{}" fill="{}" stroke="{}" stroke-width="1.5"/>)"
                       "\n",
                       number(x), number(y), number(radius), fill, stroke);
}

void Svg::text(double x, double y, std::string_view text, const TextStyle& style) {
  body_ += fmt::format(R"(<text x="{}" y="{}" font-size="{}" text-anchor="{}" fill="{}"{}{}{}>{}</text>)"
                       "\n",
                       number(x), number(y + style.size * 0.35), number(style.size), style.anchor, style.fill,
                       style.bold ? R"( font-weight="bold")" : "",
                       style.monospace ? R"( font-family="DejaVu Sans Mono, Consolas, monospace")" : "",
                       style.keep_spaces ? R"( xml:space="preserve")" : "", escaped_markup(text));
}

std::string Svg::str() const {
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" font-family="DejaVu Sans, Helvetica, Arial, sans-serif">
<title>{2}</title>
<desc>{3}</desc>
<rect width="{0}" height="{1}" fill="{4}"/>
{5}</svg>
)",
      number(width_), number(height_), title_, description_, color::kPaper, body_);
}

}  // namespace cudalabs
