// The pictures of LoadData 2D and LoadDataWithTranspose: two stacks of fractals, as they lie in
// memory, and arrows from what is read to what is written.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "cli/draw/draw.h"
#include "cli/draw/trace.h"
#include "numeric/dtype.h"

namespace vinci::cli {
namespace {

constexpr int kThin = 20;            // height of a fractal without numbers
constexpr int kBetween = 8;          // from one fractal to the next
constexpr int kMeasureRoom = 96;     // for a column of measures
constexpr int64_t kMostSingles = 6;  // longer runs of unused fractals become one

// Where a fractal, or a run of fractals without numbers, stands in a stack.
struct Slot {
  int64_t first, last;
  bool numbers;
  int y, height;
};

// Fractals from 0 to the last of `drawn`, from the top down.
std::vector<Slot> stack_of(const std::set<int64_t>& drawn, const std::set<int64_t>& used,
                           int height, int y) {
  std::vector<Slot> slots;
  const auto add = [&](int64_t first, int64_t last, bool numbers) {
    slots.push_back({first, last, numbers, y, numbers ? height : kThin});
    y += slots.back().height + kBetween;
  };
  const auto add_run = [&](int64_t first, int64_t last) {
    if (last - first < kMostSingles) {
      for (int64_t i = first; i <= last; ++i) add(i, i, false);
    } else {
      add(first, last, false);
    }
  };
  int64_t next = 0;
  for (const int64_t fractal : drawn) {
    if (fractal > next) add_run(next, fractal - 1);
    add(fractal, fractal, true);
    next = fractal + 1;
  }
  const int64_t last = std::max<int64_t>(used.empty() ? 0 : *used.rbegin(), 0);
  if (last >= next) add_run(next, last);
  return slots;
}

// What is moved where, by fractals of the destination and units (fractals or squares) of the
// source.
struct Plan {
  int64_t unit_fractals = 1;
  std::map<int64_t, std::set<int64_t>> units_of;  // by destination fractal
  std::set<int64_t> drawn, written;               // destination fractals
  std::set<int64_t> drawn_sources, read;          // source fractals
  std::map<int64_t, int64_t> colour_of;           // by unit, in order of the destination

  bool left_out() const { return drawn.size() < written.size(); }
};

Plan plan_of(const Movement& movement, int64_t unit_fractals, int most) {
  Plan plan;
  plan.unit_fractals = unit_fractals;
  const auto elements = int64_t(movement.fractal_elements());
  for (size_t i = 0; i < movement.from.size(); ++i) {
    if (movement.from[i] < 0) continue;
    const int64_t fractal = int64_t(i) / elements, source = movement.from[i] / elements;
    plan.written.insert(fractal);
    plan.read.insert(source);
    plan.units_of[fractal].insert(source / unit_fractals);
  }
  for (const int64_t fractal : plan.written) {
    if (plan.drawn.size() == size_t(most)) break;
    plan.drawn.insert(fractal);
    for (const int64_t unit : plan.units_of[fractal]) {
      plan.colour_of.try_emplace(unit, int64_t(plan.colour_of.size()));
      for (int64_t j = 0; j < unit_fractals; ++j) {
        plan.drawn_sources.insert(unit * unit_fractals + j);
      }
    }
  }
  return plan;
}

class LoadPicture {
 public:
  // `measures` is how many columns of measures the sources have at their left.
  LoadPicture(const DrawOptions& options, const Movement& movement, int64_t unit_fractals,
              int measures, Picture picture)
      : options_(options),
        movement_(movement),
        plan_(plan_of(movement, unit_fractals, options.most_or(8))),
        picture_(std::move(picture)) {
    const int y = picture_.top() + 28;
    const int height = grid(true, 0).height();
    sources_ = stack_of(plan_.drawn_sources, plan_.read, height, y);
    destinations_ = stack_of(plan_.drawn, plan_.written, height, y);
    const int wide = grid(true, 0).width();
    src_x_ = kMargin + measures * kMeasureRoom;
    dst_x_ = src_x_ + wide + (wide < 300 ? 250 : 120);
    right_x_ = dst_x_ + grid(false, 0).width() + 14;
  }

  const Plan& plan() const { return plan_; }
  std::optional<Slot> source(int64_t fractal) const { return find(sources_, fractal); }
  std::optional<Slot> destination(int64_t fractal) const { return find(destinations_, fractal); }
  Picture& picture() { return picture_; }

  // In the given column at the left of the sources; 0 is the nearest.
  void measure_source(int column, int y1, int y2, const std::string& text) {
    measure_down(picture_.svg(), src_x_ - 10 - column * kMeasureRoom, y1, y2, text, true);
  }
  // From the end of destination fractal 0 to the start of another, at the right.
  void measure_gap(int64_t to, const std::string& text) {
    const auto first = destination(0), second = destination(to);
    if (!first || !second) return;
    measure_down(picture_.svg(), right_x_, first->y + first->height + 2, second->y - 2, text,
                 false);
    right_x_ += 18 + text_width(text, 12);
    picture_.reach(right_x_, 0);
  }

  void draw_stacks() {
    draw_stack(true, sources_, plan_.read);
    draw_stack(false, destinations_, plan_.written);
    picture_.reach(dst_x_ + grid(false, 0).width(),
                   std::max(sources_.back().y + sources_.back().height,
                            destinations_.back().y + destinations_.back().height));
  }

  // `label` of the n-th arrow; empty: none.
  void draw_arrows(const std::function<std::string(int64_t n)>& label) {
    int64_t n = 0;
    for (const int64_t fractal : plan_.drawn) {
      const auto to = destination(fractal);
      for (const int64_t unit : plan_.units_of.at(fractal)) {
        const auto first = source(unit * plan_.unit_fractals);
        const auto last = source((unit + 1) * plan_.unit_fractals - 1);
        const std::string_view strong = colour(plan_.colour_of.at(unit)).strong;
        const int y1 = (first->y + last->y + last->height) / 2 + 10;
        const int y2 = to->y + to->height / 2 + 10;
        arrow_across(picture_.svg(), src_x_ + grid(true, 0).width() + 8, y1, dst_x_ - 2, y2,
                     strong);
        if (const std::string text = label(n++); !text.empty()) {
          // Where the arrow is not: it comes from above or from below.
          picture_.svg().text(dst_x_ - 16, y1 < y2 ? y2 + 17 : y2 - 7, "note-end halo", text);
        }
      }
    }
  }

  // A frame around each square of several fractals.
  void draw_squares() {
    if (plan_.unit_fractals == 1) return;
    for (const auto& [unit, number] : plan_.colour_of) {
      const auto first = source(unit * plan_.unit_fractals);
      const auto last = source((unit + 1) * plan_.unit_fractals - 1);
      picture_.svg().rect(src_x_ - 4, first->y - 2, grid(true, 0).width() + 12,
                          last->y + last->height - first->y + 6,
                          fmt::format("rx=\"6\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"",
                                      colour(number).strong));
    }
  }

  std::string finish(std::vector<std::string> notes) {
    if (plan_.written.empty()) {
      notes.insert(notes.begin(), "The call does nothing: every fractal stays as it was.");
    }
    if (plan_.left_out()) {
      notes.push_back(fmt::format("{} of {} written fractals are drawn; --most draws more.",
                                  plan_.drawn.size(), plan_.written.size()));
    }
    const Colour& first = colour(0);
    picture_.legend({{first.pale, first.strong, "moved, a colour for each source"},
                     {first.middle, first.strong, "row 0 of a source fractal"},
                     {kHatch, "#c3cbd4", "neither read nor written"}});
    for (std::string& note : notes) picture_.note(std::move(note));
    return picture_.document();
  }

 private:
  static std::optional<Slot> find(const std::vector<Slot>& slots, int64_t fractal) {
    for (const Slot& slot : slots) {
      if (slot.first == fractal && slot.last == fractal) return slot;
    }
    return std::nullopt;
  }

  // The colours of a source element, which it keeps where it goes.
  std::string_view fill_of(int64_t element) const {
    const auto elements = int64_t(movement_.fractal_elements());
    const auto found = plan_.colour_of.find(element / elements / plan_.unit_fractals);
    if (found == plan_.colour_of.end()) return "#ffffff";
    const Colour& shades = colour(found->second);
    return element % elements < movement_.row_elements() ? shades.middle : shades.pale;
  }

  Grid grid(bool source, int64_t fractal) const {
    const auto columns = int(movement_.row_elements());
    const auto elements = int64_t(movement_.fractal_elements());
    Grid grid;
    grid.side = source ? "source" : "destination";
    grid.fractal = fractal;
    grid.head = fmt::format("fractal {}", fractal);
    if (source && plan_.unit_fractals > 1) {
      grid.head += fmt::format(", square {}", fractal / plan_.unit_fractals);
    }
    grid.note = fmt::format("byte {}", fractal * 512);
    grid.rows = excerpt(16, options_.excerpt_or(5));
    grid.columns = excerpt(columns, options_.excerpt_or(5));
    const int64_t last = plan_.read.empty() ? 0 : *plan_.read.rbegin();
    grid.digits = int(fmt::to_string(last * elements + elements - 1).size());
    grid.cell = [this, source, fractal, elements, columns](int row, int column) {
      const int64_t place = fractal * elements + row * columns + column;
      const int64_t element = source ? place : movement_.from[size_t(place)];
      if (element < 0) return Cell{"–", kHatch};
      return Cell{fmt::to_string(element), fill_of(element)};
    };
    return grid;
  }

  void draw_stack(bool source, const std::vector<Slot>& slots, const std::set<int64_t>& used) {
    Svg& svg = picture_.svg();
    const int x = source ? src_x_ : dst_x_;
    const Position position = source ? movement_.src.position : movement_.dst.position;
    const Space space = movement_.soc.space_of(position);
    const std::string place =
        space == Space::kGm ? "GM" : fmt::format("{} ({})", name_of(space), name_of(position));
    svg.text(x, picture_.top() + 8, "section",
             fmt::format("{}: {}", source ? "Source" : "Destination", place));
    for (const Slot& slot : slots) {
      if (slot.numbers) {
        grid(source, slot.first).draw(svg, x, slot.y);
        continue;
      }
      const bool touched = used.lower_bound(slot.first) != used.upper_bound(slot.last);
      const std::string which = slot.first == slot.last
                                    ? fmt::format("fractal {}", slot.first)
                                    : fmt::format("fractals {} to {}", slot.first, slot.last);
      const char* state = touched ? "not drawn" : source ? "not read" : "untouched";
      const Grid shape = grid(source, slot.first);
      const std::string text = which + ", " + state;
      const int wide = std::max(shape.width() - shape.label_width(), text_width(text, 12));
      svg.rect(x + shape.label_width(), slot.y, wide, slot.height,
               fmt::format("fill=\"{}\" stroke=\"#c3cbd4\" data-side=\"{}\" data-first=\"{}\" "
                           "data-last=\"{}\" data-state=\"{}\"",
                           touched ? "#ffffff" : kHatch, shape.side, slot.first, slot.last, state));
      svg.text(x + shape.label_width() + wide / 2, slot.y + 14, "note-middle halo", text);
    }
  }

  const DrawOptions& options_;
  const Movement& movement_;
  Plan plan_;
  Picture picture_;
  std::vector<Slot> sources_, destinations_;
  int src_x_ = 0, dst_x_ = 0, right_x_ = 0;
};

// How fractals lie on their rows in an operand of Mmad.
std::string row_note(const Movement& movement) {
  const unsigned columns = movement.row_elements();
  if (movement.dst.position == Position::B2) {
    return fmt::format(
        "A row is 32 bytes, {} elements. In B2 (nZ) it is one column n of a 16-column fractal.",
        columns);
  }
  return fmt::format("A fractal is 512 bytes: 16 rows of 32 bytes, {} elements each.", columns);
}

// Whether the second fractal written comes from before the first.
bool goes_down(const Movement& movement) {
  const size_t elements = movement.fractal_elements();
  int64_t first = kUntouched;
  for (size_t i = 0; i < movement.from.size(); i += elements) {
    if (movement.from[i] < 0) continue;
    if (first != kUntouched) return movement.from[i] < first;
    first = movement.from[i];
  }
  return false;
}

}  // namespace

std::string picture_of_load_2d(const DrawOptions& options, const Movement& movement) {
  const Load2DOptions& load = options.load_2d;
  Picture frame("LoadData, 2D", movement.parameters,
                "Fractals of 512 bytes in the source memory at the left, in the destination at the "
                "right, with the numbers of source elements, and an arrow for each repeat.");
  const bool down = goes_down(movement);
  const bool measured = load.start_index > 0 || load.repeats > 1;
  LoadPicture picture(options, movement, 1, measured + down, std::move(frame));
  picture.draw_stacks();
  picture.draw_arrows([](int64_t n) { return fmt::format("repeat {}", n); });

  const auto zero = picture.source(0), start = picture.source(load.start_index);
  if (load.start_index > 0 && zero && start) {
    picture.measure_source(down, zero->y, start->y - 2,
                           fmt::format("startIndex {}", load.start_index));
  }
  if (load.repeats > 1 && load.src_stride != 0 && start) {
    const auto next = picture.source(load.start_index + (down ? -1 : 1) * load.src_stride);
    if (next) {
      picture.measure_source(0, start->y + (down ? -2 : 2), next->y + (down ? 2 : -2),
                             fmt::format("srcStride {}", load.src_stride));
    }
  }
  const auto& drawn = picture.plan().drawn;
  if (drawn.size() > 1 && *std::next(drawn.begin()) == load.dst_gap + 1 && load.dst_gap > 0) {
    picture.measure_gap(load.dst_gap + 1, fmt::format("dstGap {}", load.dst_gap));
  }
  return picture.finish({row_note(movement)});
}

std::string picture_of_transpose(const DrawOptions& options, const Movement& movement) {
  const TransposeOptions& load = options.transpose;
  const unsigned bits = bits_of(movement.dst.dtype);
  const int fractals = bits == 4 ? 4 : bits == 16 ? 1 : 2;
  Picture frame("LoadDataWithTranspose", movement.parameters,
                "Squares of fractals in the source memory at the left, the transposed fractals in "
                "the destination at the right, with the numbers of source elements.");
  const bool measured = load.start_index > 0 || (load.repeats > 1 && load.src_stride > 0);
  LoadPicture picture(options, movement, fractals, measured, std::move(frame));
  picture.draw_squares();
  picture.draw_stacks();
  picture.draw_arrows([](int64_t) { return std::string(); });

  const auto zero = picture.source(0), start = picture.source(load.start_index * fractals);
  if (load.start_index > 0 && zero && start) {
    picture.measure_source(0, zero->y, start->y - 6,
                           fmt::format("startIndex {}", load.start_index));
  }
  const auto next = picture.source((load.start_index + load.src_stride) * fractals);
  if (load.repeats > 1 && load.src_stride > 0 && start && next) {
    picture.measure_source(0, start->y, next->y - 6, fmt::format("srcStride {}", load.src_stride));
  }
  if (fractals > 1 && load.dst_frac_gap > 0) {
    picture.measure_gap(load.dst_frac_gap + 1, fmt::format("dstFracGap {}", load.dst_frac_gap));
  }
  if (load.repeats > 1 && load.dst_gap > 0) {
    picture.measure_gap(load.dst_gap + 1, fmt::format("dstGap {}", load.dst_gap));
  }
  return picture.finish({row_note(movement)});
}

}  // namespace vinci::cli
