// Builds an SVG picture: shapes in user units, text in one font, everything escaped.
#pragma once

#include <string>
#include <string_view>

namespace cudalabs {

/// Colours with at least 4.5:1 contrast to their text, also told apart in grey.
namespace color {
inline constexpr std::string_view kInk = "#1b1f24";
inline constexpr std::string_view kFaint = "#8a939c";
inline constexpr std::string_view kPaper = "#ffffff";
inline constexpr std::string_view kBusy = "#3b7dd8";
inline constexpr std::string_view kBusyLight = "#cfe0f7";
inline constexpr std::string_view kIdle = "#f2b8a0";
inline constexpr std::string_view kAccent = "#d9480f";
inline constexpr std::string_view kGood = "#2b8a3e";
inline constexpr std::string_view kGoodLight = "#cdeed5";
}  // namespace color

struct TextStyle {
  double size = 18;                    // user units
  std::string_view anchor = "middle";  // start, middle, end
  std::string_view fill = color::kInk;
  bool bold = false;
  bool monospace = false;
  bool keep_spaces = false;  // else spaces that follow each other are one, and those at the start none
};

class Svg {
 public:
  /// `width` x `height` user units; `title` and `description` are read to people who cannot see the picture.
  Svg(double width, double height, std::string_view title, std::string_view description);

  void rectangle(double x, double y, double width, double height, std::string_view fill,
                 std::string_view stroke = "none", double stroke_width = 1);
  void line(double x1, double y1, double x2, double y2, std::string_view stroke = color::kInk, double width = 1.5,
            bool dashed = false);
  void arrow(double x1, double y1, double x2, double y2, std::string_view stroke = color::kInk, double width = 2);
  void circle(double x, double y, double radius, std::string_view fill, std::string_view stroke = "none");
  /// `y` is the text's vertical middle.
  void text(double x, double y, std::string_view text, const TextStyle& style = {});

  std::string str() const;

 private:
  std::string body_;
  double width_, height_;
  std::string title_, description_;
};

}  // namespace cudalabs
