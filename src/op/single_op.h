// A model of one operator: what `atc --singleop` keeps of a call, and aclopExecuteV2 looks for.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace vinci::op {

struct SingleOp {
  struct Tensor {
    int dtype = -1;
    int format = -1;
    std::vector<int64_t> shape;  // -1: any length; one dimension of -2: any shape

    bool matches(const Tensor& other) const;
    std::string text() const;
  };
  std::string type, soc;
  std::vector<Tensor> inputs, outputs;
  nlohmann::json attributes;  // by name
};

// Those that a description in JSON names. Throws Error (call): what is wrong, and where.
std::vector<SingleOp> described_operators(const nlohmann::json& description,
                                          const std::string& soc);

nlohmann::json model_of(const SingleOp& one);
// Throws Error (call): the text is no model of vinci's.
SingleOp model_from(const std::string& text);

}  // namespace vinci::op
