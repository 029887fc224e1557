// The picture of Mmad's operands: A, B and C as fractals, and which elements of memory meet.
#include <algorithm>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>

#include "ascendc/mmad.h"
#include "cli/draw/trace.h"
#include "cli/draw/draw.h"
#include "cli/draw/format.h"
#include "cli/error.h"
#include "numeric/dtype.h"
#include "vinci/device.h"
#include "vinci/door.h"

namespace vinci::cli {
namespace {

uint32_t bits_of_one(DType type) {
  switch (type) {
    case DType::kHalf: return 0x3C00;
    case DType::kBfloat16: return 0x3F80;
    case DType::kFloat: return 0x3F800000;
    default: return 1;
  }
}

Format format_of_a(const MmadOptions& mmad, int64_t k0) {
  if (mmad.m == 1) return {"zZ", 1, mmad.k, 1, 16 * k0};  // a vector
  return {"zZ", mmad.m, mmad.k, 16, k0};
}

// Runs Mmad on operands of zeros and ones, to see which elements of memory meet in which.
class Multiplier {
 public:
  explicit Multiplier(const MmadRecord& record) : record_(record) {}

  // The element of A that meets element `b` of B in element `c` of C, by its number in binary;
  // -1 if there is none.
  int64_t partner(int64_t b, int64_t c) const {
    clear(record_.b);
    set_one(record_.b, b);
    const int64_t count = int64_t(record_.a.bytes * 8 / bits_of(record_.a.dtype));
    int64_t element = 0;
    for (int bit = 0; (count - 1) >> bit != 0; ++bit) {
      clear(record_.a);
      for (int64_t i = 0; i < count; ++i) {
        if (i >> bit & 1) set_one(record_.a, i);
      }
      multiply();
      if (is_set(c)) element |= int64_t{1} << bit;
    }
    // Nothing at all would have looked like element 0.
    clear(record_.a);
    set_one(record_.a, element);
    multiply();
    return is_set(c) ? element : -1;
  }

 private:
  void multiply() const {
    issue(record_);
    finish_pipes();
  }
  static uint8_t* memory(const Operand& operand) {
    return static_cast<uint8_t*>(local_address(operand));
  }
  static void clear(const Operand& operand) { std::memset(memory(operand), 0, operand.bytes); }
  static void set_one(const Operand& operand, int64_t element) {
    const uint32_t one = bits_of_one(operand.dtype);
    const unsigned bits = bits_of(operand.dtype);
    uint8_t* at = memory(operand) + element * bits / 8;
    if (bits == 4) {
      *at = uint8_t(*at | one << (element % 2 * 4));
    } else {
      std::memcpy(at, &one, bits / 8);
    }
  }
  bool is_set(int64_t c) const {
    const unsigned bytes = bits_of(record_.c.dtype) / 8;
    uint32_t value = 0;
    std::memcpy(&value, memory(record_.c) + c * bytes, bytes);
    return value != 0;
  }

  const MmadRecord& record_;
};

struct Operands {
  Format a, b, c;
};

// For the shown k: the elements of A and B whose product goes into the marked element of C.
struct Pairs {
  std::vector<int> k;  // with kEllipsis
  std::vector<int64_t> a, b;
};

Pairs pairs_of(const MmadOptions& mmad, const Operands& operands, const MmadRecord& record) {
  Pairs pairs{excerpt(mmad.k, 10), {}, {}};
  const Multiplier multiplier(record);
  const int64_t c = operands.c.offset(mmad.element[0], mmad.element[1]);
  for (const int k : pairs.k) {
    const int64_t b = k == kEllipsis ? -1 : operands.b.offset(k, mmad.element[1]);
    const int64_t a = k == kEllipsis ? -1 : multiplier.partner(b, c);
    if (k != kEllipsis && a < 0) {
      throw std::logic_error(fmt::format("draw mmad: element {} of B reaches no element of C", b));
    }
    pairs.a.push_back(a);
    pairs.b.push_back(b);
  }
  return pairs;
}

Grid grid_of(const MmadOptions& mmad, const Pairs& pairs) {
  Grid grid;
  grid.side = "operands";
  grid.head = fmt::format("C({}, {}) is the sum over k of A({}, k) * B(k, {})", mmad.element[0],
                          mmad.element[1], mmad.element[0], mmad.element[1]);
  grid.column_label = [](int k) { return fmt::format("k = {}", k); };
  grid.rows = {0, 1};
  grid.columns = pairs.k;
  grid.digits = 5;
  grid.row_label = [&mmad](int row) {
    return row == 0 ? fmt::format("element of A({}, k)", mmad.element[0])
                    : fmt::format("element of B(k, {})", mmad.element[1]);
  };
  grid.cell = [&pairs](int row, int k) {
    const auto place = size_t(std::ranges::find(pairs.k, k) - pairs.k.begin());
    return Cell{fmt::to_string(row == 0 ? pairs.a[place] : pairs.b[place]),
                row == 0 ? colour(0).pale : colour(2).pale};
  };
  return grid;
}

std::string size_text(const char* name, const char* place, const Format& format) {
  return fmt::format("{} in {}: {} x {}, fractals of {} x {}", name, place, format.rows(),
                     format.columns(), format.fractal_rows(), format.fractal_columns());
}

// B above C, A at its left: a row of A meets a column of B in an element of C.
void draw_operands(Picture& picture, const MmadOptions& mmad, const Operands& operands) {
  MatrixView a{operands.a, "A", &colour(0)}, b{operands.b, "B", &colour(2)},
      c{operands.c, "C", &colour(3)};
  a.row = c.row = mmad.element[0];
  b.column = c.column = mmad.element[1];
  Svg& svg = picture.svg();
  const std::string a_text = size_text("A", mmad.m == 1 ? "L0A (vector)" : "L0A (zZ)", operands.a);
  const std::string b_text = size_text("B", "L0B (nZ)", operands.b);
  const std::string c_text = size_text("C", "L0C (zN)", operands.c);
  const int a_x = kMargin + 10, b_y = picture.top() + 22;
  const int c_x = a_x + std::max(a.width(), text_width(a_text)) + 70;
  const int c_y = b_y + b.height() + 62;
  svg.text(c_x, b_y - 12, "head", b_text);
  svg.text(c_x, c_y - 12, "head", c_text);
  svg.text(a_x, c_y - 12, "head", a_text);
  b.draw(svg, c_x, b_y);
  a.draw(svg, a_x, c_y);
  c.draw(svg, c_x, c_y);
  const std::string_view strong = colour(1).strong;
  if (a.row_y(*a.row) < a.height() && c.column_x(*c.column) < c.width()) {
    svg.arrow(fmt::format("M{},{} L{},{}", a_x + a.width() + 4, c_y + a.row_y(*a.row), c_x - 4,
                          c_y + c.row_y(*c.row)),
              strong);
    svg.arrow(fmt::format("M{0},{1} L{0},{2}", c_x + b.column_x(*b.column), b_y + b.height() + 4,
                          c_y - 28),
              strong);
  }
  picture.reach(c_x + std::max({b.width(), c.width(), text_width(b_text), text_width(c_text)}),
                c_y + std::max(a.height(), c.height()) + 16);
  if (!a.complete() || !b.complete() || !c.complete()) {
    picture.note("Of large matrices the first fractals are drawn.");
  }
}

std::string picture_of(const MmadOptions& mmad, const Operands& operands, const Pairs& pairs,
                       std::vector<std::string> parameters, DType type) {
  Picture picture("Mmad: C = A x B", parameters,
                  "The operands of a matrix multiplication as fractals: A at the left, B above, C "
                  "below it, with the numbers of fractals in memory, and the elements of A and B "
                  "that meet in one element of C.");
  draw_operands(picture, mmad, operands);
  picture.legend({{"#ffffff", "#1f2933", "the matrix"},
                  {kHatch, "#c3cbd4", "filled up to whole fractals"},
                  {colour(1).strong, "none", "a row of A, a column of B, their element of C"}});
  picture.note(fmt::format("K0, the elements in 32 bytes, is {} for {}.", 256 / bits_of(type),
                           name_of(type)));
  picture.note("Circles count the fractals in memory; pale strokes show the order inside them.");
  const Grid grid = grid_of(mmad, pairs);
  const int y = picture.bottom() + 30;
  grid.draw(picture.svg(), kMargin, y);
  picture.reach(kMargin + grid.width(), y + grid.height());
  return picture.document();
}

}  // namespace

std::string picture_of_mmad(const DrawOptions& options, const Soc& soc, DType type, int& code) {
  const MmadOptions& mmad = options.mmad;
  if (mmad.element.size() != 2) throw usage("--element: row,column");
  const bool integer = type != DType::kHalf && type != DType::kBfloat16 && type != DType::kFloat;
  const std::string result_name = !mmad.result.empty() ? mmad.result : integer ? "int32" : "float";
  const auto result = dtype_named(result_name);
  if (!result || bits_of(*result) < 16 || bits_of(*result) > 32) {
    throw usage(fmt::format("--result {}: no element type of C", result_name));
  }
  const auto operand = [&](Position position, DType of) {
    return Operand{0, soc.size_of(soc.space_of(position)), 0, position, of};
  };
  MmadRecord record;
  record.instruction = &isa::mmad;
  record.c = operand(Position::CO1, *result);
  record.a = operand(Position::A2, type);
  record.b = operand(Position::B2, type);
  record.m = uint16_t(mmad.m);
  record.n = uint16_t(mmad.n);
  record.k = uint16_t(mmad.k);

  Device device(soc.name, Checks::kStrict);
  device.run_inside([&] { issue(record); });
  print_faults(device);
  code = exit_code(device.faults());
  if (code != kExitClean) return {};
  std::vector<std::string> parameters{fmt::format("m {}, n {}, k {}", mmad.m, mmad.n, mmad.k),
                                      fmt::format("{} from {}", result_name, name_of(type)),
                                      std::string(soc.name)};
  if (mmad.m == 0 || mmad.n == 0 || mmad.k == 0) {
    Picture picture("Mmad: C = A x B", parameters, "A multiplication that does nothing.");
    picture.note("One of m, n, k is 0: the call does nothing.");
    return picture.document();
  }
  if (mmad.element[0] < 0 || mmad.element[0] >= mmad.m || mmad.element[1] < 0 ||
      mmad.element[1] >= mmad.n) {
    throw usage(fmt::format("--element {},{} is outside C, {} x {}", mmad.element[0],
                            mmad.element[1], mmad.m, mmad.n));
  }
  const int64_t k0 = 256 / bits_of(type);
  const Operands operands{
      format_of_a(mmad, k0), {"nZ", mmad.k, mmad.n, k0, 16}, {"zN", mmad.m, mmad.n, 16, 16}};
  Pairs pairs;
  device.run_inside([&] { pairs = pairs_of(mmad, operands, record); });
  return picture_of(mmad, operands, pairs, parameters, type);
}

}  // namespace vinci::cli
