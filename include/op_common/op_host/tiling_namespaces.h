// Where repositories of operators have the classes of tiling: each in a namespace of its own.
#pragma once

#define VINCI_IN_REPOSITORY(name, ...) \
  namespace Ops {                      \
  namespace name {                     \
  namespace OpTiling {                 \
  __VA_ARGS__                          \
  }                                    \
  namespace Optiling {                 \
  __VA_ARGS__                          \
  }                                    \
  }                                    \
  }
#define VINCI_IN_TILING_NAMESPACES(...)         \
  VINCI_IN_REPOSITORY(Math, __VA_ARGS__)        \
  VINCI_IN_REPOSITORY(NN, __VA_ARGS__)          \
  VINCI_IN_REPOSITORY(Cv, __VA_ARGS__)          \
  VINCI_IN_REPOSITORY(Transformer, __VA_ARGS__) \
  namespace optiling {                          \
  __VA_ARGS__                                   \
  }
