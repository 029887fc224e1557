#pragma once
struct SumListTiling {
  uint32_t length, count;
};
