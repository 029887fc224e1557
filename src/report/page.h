// The pages behind `vinci explain`: docs/fault/ and docs/spec/, embedded.
#pragma once

#include <span>
#include <string_view>

namespace vinci {

struct Page {
  std::string_view name;  // file name without ending: "V1001", "gather"
  std::string_view text;
};

std::span<const Page> all_pages();
const Page* find_page(std::string_view name);

}  // namespace vinci
