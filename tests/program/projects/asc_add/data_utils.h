#ifndef DATA_UTILS_H
#define DATA_UTILS_H
#include <fstream>
#include <iostream>
#include <string>

inline bool ReadFile(const std::string& path, void* buffer, size_t bytes)
{
    std::ifstream file(path, std::ios::binary);
    file.read(static_cast<char*>(buffer), bytes);
    if (!file) std::cerr << "[ERROR] cannot read " << path << std::endl;
    return bool(file);
}

inline bool WriteFile(const std::string& path, const void* buffer, size_t bytes)
{
    std::ofstream file(path, std::ios::binary);
    file.write(static_cast<const char*>(buffer), bytes);
    return bool(file);
}

#define CHECK_ACL(x)                                                                       \
    do {                                                                                   \
        aclError code = x;                                                                 \
        if (code != ACL_SUCCESS) {                                                         \
            std::cerr << __FILE__ << ":" << __LINE__ << " aclError:" << code << std::endl; \
        }                                                                                  \
    } while (0)
#endif
