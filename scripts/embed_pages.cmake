# Writes OUT: one raw string for each of PAGES, named after the file.
set(text "")
foreach(page ${PAGES})
  get_filename_component(name ${page} NAME_WE)
  file(READ ${page} content)
  string(APPEND text "{\"${name}\", R\"vinci_page(${content})vinci_page\"},\n")
endforeach()
file(WRITE ${OUT} "${text}")
