#error "vinci does not have <graph/types.h>: graphs and operator projects are not there"
