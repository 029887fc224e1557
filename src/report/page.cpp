// The embedded pages.
#include "report/page.h"

namespace vinci {

std::span<const Page> all_pages() {
  static const Page pages[] = {
#include "pages.inc"
      {"", ""}};
  return {pages, std::size(pages) - 1};
}

const Page* find_page(std::string_view name) {
  for (const Page& page : all_pages()) {
    if (page.name == name) return &page;
  }
  return nullptr;
}

}  // namespace vinci
