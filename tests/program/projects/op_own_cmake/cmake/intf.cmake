add_library(intf_pub INTERFACE)
target_compile_options(intf_pub INTERFACE -fPIC -fvisibility=hidden -fvisibility-inlines-hidden
  $<$<COMPILE_LANGUAGE:CXX>:-std=c++11> $<$<CONFIG:Release>:-O2>)
target_include_directories(intf_pub INTERFACE ${ASCEND_CANN_PACKAGE_PATH}/include)
target_compile_definitions(intf_pub INTERFACE _GLIBCXX_USE_CXX11_ABI=0 $<$<CONFIG:Release>:NDEBUG>)
target_link_options(intf_pub INTERFACE -Wl,-z,relro,-z,now)
target_link_directories(intf_pub INTERFACE ${ASCEND_CANN_PACKAGE_PATH}/lib64)
