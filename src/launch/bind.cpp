// Passing values with libffi.
#include "launch/bind.h"

#include <ffi.h>

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "launch/error.h"

namespace vinci::launch {
namespace {

// A type that libffi passes as the compiler does: of a struct it looks at the elements.
struct Type {
  ffi_type own{};
  std::vector<ffi_type*> elements;  // ends with nullptr
};

ffi_type* integer_of(unsigned bytes, bool is_signed) {
  switch (bytes) {
    case 1: return is_signed ? &ffi_type_sint8 : &ffi_type_uint8;
    case 2: return is_signed ? &ffi_type_sint16 : &ffi_type_uint16;
    case 4: return is_signed ? &ffi_type_sint32 : &ffi_type_uint32;
    default: return is_signed ? &ffi_type_sint64 : &ffi_type_uint64;
  }
}

// How a struct is passed depends on which of its eight-byte words hold nothing but floats. Those
// have their floats as elements; the others are integers, whatever lies in them.
void add_word(const Parameter& parameter, uint64_t start, Type& type) {
  const uint64_t end = std::min<uint64_t>(start + 8, parameter.bytes);
  const auto is_here = [&](const Leaf& leaf) {
    return leaf.offset < end && leaf.offset + leaf.bytes > start;
  };
  std::vector<Leaf> here;
  std::ranges::copy_if(parameter.leaves, std::back_inserter(here), is_here);
  if (!here.empty() && std::ranges::all_of(here, &Leaf::is_float)) {
    for (const Leaf& leaf : here) {
      type.elements.push_back(leaf.bytes == 4 ? &ffi_type_float : &ffi_type_double);
    }
    return;
  }
  for (uint64_t at = start; at < end;) {
    unsigned bytes = 8;
    while (at + bytes > end) bytes /= 2;
    type.elements.push_back(integer_of(bytes, false));
    at += bytes;
  }
}

ffi_type* struct_of(const Parameter& parameter, Type& type) {
  if (!parameter.obstacle.empty()) {
    throw Error(Error::Kind::kLacks,
                fmt::format("parameter {} {} cannot be passed by value: {}", parameter.type,
                            parameter.name, parameter.obstacle));
  }
  for (uint64_t start = 0; start < parameter.bytes; start += 8) add_word(parameter, start, type);
  type.elements.push_back(nullptr);
  uint16_t alignment = 1;
  for (const Leaf& leaf : parameter.leaves) {
    alignment = std::max(alignment, uint16_t(leaf.bytes));
  }
  type.own = {parameter.bytes, alignment, FFI_TYPE_STRUCT, type.elements.data()};
  return &type.own;
}

ffi_type* type_of(const Parameter& parameter, Type& type) {
  switch (parameter.kind) {
    case Parameter::Kind::kPointer: return &ffi_type_pointer;
    case Parameter::Kind::kFloat: return &ffi_type_float;
    case Parameter::Kind::kDouble: return &ffi_type_double;
    case Parameter::Kind::kInteger: return integer_of(parameter.bytes, parameter.is_signed);
    case Parameter::Kind::kStruct: break;
  }
  return struct_of(parameter, type);
}

}  // namespace

Value address_value(const void* buffer) {
  Value value(sizeof(buffer));
  std::memcpy(value.data(), &buffer, sizeof(buffer));
  return value;
}

Value number_value(const Parameter& parameter, uint64_t bits) {
  Value value(parameter.bytes);
  std::memcpy(value.data(), &bits, std::min(sizeof(bits), value.size()));
  return value;
}

void check_count(const Kernel& kernel, size_t count, const std::string& given) {
  if (!kernel.has_debug_info) {
    throw usage(
        fmt::format("the parameters of {} are not known: it was compiled without -g", kernel.name));
  }
  if (count == kernel.parameters.size()) return;
  throw usage(fmt::format("{} takes {} arguments, {}{} given", signature_text(kernel),
                          kernel.parameters.size(), count, given));
}

struct Call::State {
  std::vector<Value> values;
  std::vector<Type> structs;
  std::vector<ffi_type*> types;
  std::vector<void*> addresses;
  ffi_cif interface {};
};

Call::Call(const Kernel& kernel, const std::vector<Value>& values)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.values = values;
  state.structs.resize(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    state.types.push_back(type_of(kernel.parameters[i], state.structs[i]));
    state.addresses.push_back(state.values[i].data());
  }
  if (ffi_prep_cif(&state.interface, FFI_DEFAULT_ABI, unsigned(values.size()), &ffi_type_void,
                   state.types.data()) != FFI_OK) {
    throw Error(Error::Kind::kInternal, "the kernel's parameters cannot be passed");
  }
}

Call::~Call() = default;

void Call::operator()(void* function) const {
  // libffi puts the addresses of copies that die with the call in the place of those of structs,
  // and blocks, several at a time, share the call.
  std::vector<void*> addresses = state_->addresses;
  ffi_call(&state_->interface, reinterpret_cast<void (*)()>(function), nullptr, addresses.data());
}

}  // namespace vinci::launch
