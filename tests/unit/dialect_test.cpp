// What Ascend C has beyond C++, as C++.
#include "launch/compile/dialect.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/format.h>

namespace vinci::launch {
namespace {

std::string without_chevrons(std::string_view text) { return as_cxx(text, Pass::kHost).text; }

// In one line.
std::string parameters_of(std::string kernel) {
  std::replace(kernel.begin(), kernel.end(), '\n', ' ');
  return "[](auto vinci_t) -> decltype(::vinci::host::parameters(vinci_t, " + kernel +
         ")) { return {}; }";
}

std::string site(const std::string& kernel, const std::string& configuration,
                 const std::string& type = "") {
  const std::string name = kernel.substr(0, kernel.find_last_not_of(" \n") + 1);
  return "::vinci::launch_site([](auto&&... vinci_a) { " + kernel +
         "(static_cast<decltype(vinci_a)&&>(vinci_a)...); }, " + parameters_of(kernel) + ", \"" +
         name + "\", \"" + type + "\", " + configuration + ")";
}

TEST(Dialect, ALaunchBecomesACall) {
  EXPECT_EQ(without_chevrons("add<<<8, nullptr, stream>>>(x, y);"),
            site("add", "8, nullptr, stream") + "(x, y);");
  EXPECT_EQ(without_chevrons("{ a<<<1>>>(); b <<< n, 0 >>> (x); }"),
            "{ " + site("a", "1") + "(); " + site("b ", " n, 0 ") + " (x); }");
}

TEST(Dialect, KernelsHaveNamespacesAndTemplateArguments) {
  for (const char* kernel : {"ns::add", "::add", "::a::b::add", "add<half>", "ns::add<half, 4>",
                             "add<Pair<half, Pair<int, 2>>>", "add<(a > b)>", "add<f(1, 2)[3]>"}) {
    EXPECT_EQ(without_chevrons("  " + std::string(kernel) + "<<<1, 0, s>>>(x)"),
              "  " + site(kernel, "1, 0, s") + "(x)");
  }
}

TEST(Dialect, KernelsMayStandInParentheses) {
  const auto in_parentheses = [](const std::string& name, const std::string& around) {
    std::string text = site(around, "1");
    return text.replace(text.find('"' + around), around.size() + 2, '"' + name + '"') + "(x)";
  };
  EXPECT_EQ(without_chevrons("(k<half>)<<<1>>>(x)"), in_parentheses("k<half>", "(k<half>)"));
  EXPECT_EQ(without_chevrons("; ((n::k)\n)<<<1>>>(x)"),
            "; " + in_parentheses("n::k", "((n::k)\n)"));
  for (const char* text : {"f(k)<<<1>>>(x)", "(a + k)<<<1>>>(x)", "(a, k)<<<1>>>(x)"}) {
    EXPECT_EQ(without_chevrons(text), text);
  }
}

TEST(Dialect, ConfigurationsAreExpressions) {
  for (const char* configuration :
       {"a >> 1, 0, s", "f(a, b), g[2], s", "max<int>(a, b), 0, s", "n, [] { return 0; }(), s"}) {
    EXPECT_EQ(without_chevrons("k<<<" + std::string(configuration) + ">>>(x)"),
              site("k", configuration) + "(x)");
  }
}

TEST(Dialect, VariablesInMemoriesOfTheCoreBecomeReferences) {
  const auto made = [](const std::string& name, const std::string& type,
                       const std::string& position = "VECCALC") {
    return "(&" + name + " = ::vinci::local_variable<::vinci::Position::" + position + ", " + type +
           ">([] { static const char vinci_here = 0; return &vinci_here; }())";
  };
  EXPECT_EQ(without_chevrons("{ __ubuf__ float x[N + 1]; }"),
            "{ float " + made("x)[N + 1]", "float [N + 1]") + "; }");
  EXPECT_EQ(without_chevrons("static __ubuf__ ns::T x[2][3], y;"),
            "ns::T " + made("x)[2][3]", "ns::T [2][3]") + ", " + made("y)", "ns::T ") + ";");
  for (const char* other :
       {"float* x;", "void f(", "float* g() {", "float* const x = y;", "T>(a);"}) {
    EXPECT_EQ(without_chevrons(std::string("__ubuf__ ") + other), std::string(" ") + other);
  }
  EXPECT_EQ(without_chevrons("extern __ubuf__ char x[];"), "extern  char x[];");
  EXPECT_EQ(without_chevrons("__ubuf__ Buffers x{}; int y{};"),
            "Buffers " + made("x)", "Buffers ") + "; int y{};");
  EXPECT_EQ(without_chevrons("__ubuf__ T x = f(); __ubuf__ T y{1};"), " T x = f();  T y{1};");
  for (const auto& [word, position] :
       {std::pair("__cbuf__", "A1"), std::pair("__ca__", "A2"), std::pair("__cb__", "B2"),
        std::pair("__cc__", "CO1"), std::pair("__biasbuf__", "C2"),
        std::pair("__fbuf__", "C2PIPE2GM")}) {
    EXPECT_EQ(without_chevrons(std::string(word) + " T x[8]; f((" + word + " T*)y);"),
              "T " + made("x)[8]", "T [8]", position) + "; f(( T*)y);");
  }
}

TEST(Dialect, WhatIsNoLaunchStays) {
  for (const char* text : {"out << value;", "friend ostream& operator<<<>(ostream&, T);",
                           "a << <b>;", "\"k<<<1>>>(x)\"", "R\"(k<<<1>>>(x))\"",
                           "R\"z(k)\"<<<1>>>(x))z\"", "'<'; k < < <", "k<<<1>>>", "k<<<1; 2>>>(x)",
                           "k<<<1)>>>(x)", "<<<1>>>(x)", "k<<<", "# 1 \"k<<<1>>>(x)\"\n"}) {
    EXPECT_EQ(without_chevrons(text), text);
  }
  EXPECT_EQ(without_chevrons("int n = 1'000; k<<<1>>>('a')"),
            "int n = 1'000; " + site("k", "1") + "('a')");
}

std::string entry(int number, const std::string& kernel, const std::string& type = "") {
  return " __attribute__((unused)) static const bool vinci_kernel_" + std::to_string(number) +
         " = ::vinci::host::Kernel<" + kernel + ">::add(\"" + type + "\");";
}

TEST(Dialect, BehindAKernelComesWhatMakesItKnown) {
  const std::string attribute = "__attribute__((unused))";
  EXPECT_EQ(without_chevrons("__global__ void f(int a) { {} }\nint c;"),
            attribute + " void f(int a) { {} }" + entry(0, "&f") + "\nint c;");
  EXPECT_EQ(without_chevrons("__global__ __vector__ void f() {}"),
            attribute + "  void f() {}" + entry(0, "&f", "AIV_ONLY"));
  EXPECT_EQ(without_chevrons("__global__ void f(\nT* a, int) {} __global__ void f() {}"),
            attribute + " void f(\nT* a, int) {}" + entry(0, "static_cast<void (*)(T*, int)>(&f)") +
                " " + attribute + " void f() {}" + entry(1, "static_cast<void (*)()>(&f)"));
  for (const char* text : {"__global__ void f();", "template <int N> __global__ void f() {}",
                           "template <> __global__ void f<3>() {}"}) {
    EXPECT_EQ(without_chevrons(text).find("vinci_kernel"), std::string::npos) << text;
  }
  EXPECT_EQ(as_cxx("__global__ void f() {}", Pass::kFile).text.find("vinci_kernel_0"),
            std::string::npos);
}

TEST(Dialect, KernelsStandInNamespaces) {
  const Translation got = as_cxx(
      "namespace a { namespace b::c { template <typename T, bool B = (1 > 0)> __global__ void f() "
      "{} }"
      " struct S { int x; }; inline namespace d { __global__ void g(); } } namespace { __global__ "
      "void h(); } extern \"C\" { __global__ void i(); }",
      Pass::kHost);
  std::string scopes;
  for (const KernelText& kernel : got.kernels) scopes += kernel.scope + kernel.name + " ";
  EXPECT_EQ(scopes, "a::b::c::f a::d::g h i ");
  EXPECT_EQ(got.kernels[0].template_parameters, "typename T, bool B = (1 > 0)");
}

std::string without_bodies(std::string_view text) {
  return as_cxx(text, Pass::kHost, DeviceBodies::kLeftOut).text;
}

TEST(Dialect, BodiesOfDeviceCodeThatGivesNothingAreLeftOut) {
  EXPECT_EQ(
      without_bodies("__aicore__ inline void f(int a = g({1})) const { if (a) { b; } } int c;"),
      " inline void f(int a = g({1})) const {} int c;");
  EXPECT_EQ(without_bodies("__global__ void f() { a; } void g() { b; }"),
            "__attribute__((unused)) void f() {}" + entry(0, "&f") + " void g() { b; }");
  EXPECT_EQ(without_bodies("void __aicore__ f() { a; }"), "void  f() {}");
  EXPECT_EQ(without_bodies("__aicore__ void f() {\n a;\n# 7 \"x.h\"\n b; }\nint c;"),
            " void f() {\n\n# 7 \"x.h\"\n}\nint c;");
}

TEST(Dialect, OtherBodiesStay) {
  for (const char* text : {"__aicore__ int f() { a; }", "__aicore__ void* f() { a; }",
                           "__aicore__ void f(); struct S { int a; };",
                           "__aicore__ S() : a{1} { b; }", "__aicore__ auto f() { a; }"}) {
    EXPECT_EQ(without_bodies(text), std::string(text).substr(10));
  }
  EXPECT_EQ(without_chevrons("__aicore__ void f() { a; }"), " void f() { a; }");
}

TEST(Dialect, ALaunchOfWhatIsOnlyDeclaredFindsTheDefinition) {
  const auto launches = [](const std::string& declarations, const std::string& launch) {
    const std::string text = as_cxx(declarations + launch, Pass::kDevice).text;
    return text.substr(text.find("::vinci::launch_site"));
  };
  const std::string found =
      "::vinci::launch_site([](auto&&... vinci_a) { ::vinci::host::Declared<&n::k>::run("
      "static_cast<decltype(vinci_a)&&>(vinci_a)...); }, " +
      parameters_of("::vinci::host::Declared<&n::k>::run") +
      ", \"n::k\", "
      "::vinci::host::Declared<&n::k>::type(\"AIV_ONLY\"), 1)();";
  const std::string declared = "namespace n { __global__ __vector__ void k(int a); } ";
  EXPECT_EQ(launches(declared, "n::k<<<1>>>();"), found);
  EXPECT_EQ(launches(declared + declared, "n::k<<<1>>>();"), found);
  const std::string plain = site("n::k", "1", "AIV_ONLY") + "();";
  EXPECT_EQ(
      launches(declared + "void n::f(); __global__ __vector__ void k(int a);", "n::k<<<1>>>();"),
      plain);
  EXPECT_EQ(launches(declared + "namespace n { __global__ void k(); }", "n::k<<<1>>>();"), plain);
  const std::string defined =
      launches(declared + "namespace n { __global__ void k(int b) {} } ", "n::k<<<1>>>();");
  EXPECT_EQ(defined, plain);
}

TEST(Dialect, LinesStayWhereTheyAre) {
  const std::string text = "int main() {\n  add<half,\n      4><<<\n    8,\n 0>>>(\n x);\n}\n";
  const std::string got = without_chevrons(text);
  EXPECT_EQ(std::count(got.begin(), got.end(), '\n'), std::count(text.begin(), text.end(), '\n'));
  EXPECT_EQ(got.substr(got.find("(\n x)")), "(\n x);\n}\n");
}

TEST(Dialect, QualifiersSayWhichCoresAKernelRunsOn) {
  const std::pair<const char*, const char*> cases[] = {
      {"__global__ __vector__ void k(int x)", "AIV_ONLY"},
      {"__vector__ __global__ void k(int x)", "AIV_ONLY"},
      {"extern \"C\" __global__ __cube__ void k(int x)", "AIC_ONLY"},
      {"__mix__(1, 2) __global__ void k(int x)", "MIX_AIC_1_2"},
      {"__global__ __mix__(1,1) void k(int x)", "MIX_AIC_1_1"},
      {"__global__ __mix__(0,1) void k(int x)", "MIX_AIV_1_0"},
      {"__global__ __mix__(1,0) void k(int x)", "MIX_AIC_1_0"},
      {"[[bisheng::core_ratio(1, 2)]] __global__ void k(int x)", "MIX_AIC_1_2"},
      {"__global__ [[bisheng::core_ratio(0,1)]] void k(int x)", "MIX_AIV_1_0"},
      {"[[gnu::noinline]] __global__ void k(int x)", ""},
      {"__global__ void k(int x)", ""},
  };
  for (const auto& [text, type] : cases) {
    for (const char* end : {" {}", ";"}) {
      const Translation got = as_cxx(text + std::string(end), Pass::kHost);
      ASSERT_EQ(got.kernels.size(), 1u) << text;
      EXPECT_EQ(got.kernels[0].name, "k") << text;
      EXPECT_EQ(got.kernels[0].type, type) << text;
      EXPECT_EQ(got.kernels[0].is_defined, end[1] == '{') << text;
      EXPECT_EQ(got.text.find("__vector__"), std::string::npos);
      EXPECT_EQ(got.text.find("__cube__"), std::string::npos);
      EXPECT_EQ(got.text.find("__mix__"), std::string::npos);
      EXPECT_EQ(got.text.find("__global__"), std::string::npos);
    }
  }
  const Translation got = as_cxx(
      "__global__ __vector__ void a(); __global__ void b() { ::vinci::kernel_task_type(::AscendC::"
      "KERNEL_TYPE_MIX_AIC_1_1); if (x) {} } void f() { n::a<int><<<1>>>(); b<<<2>>>(); }",
      Pass::kHost);
  EXPECT_NE(got.text.find(site("n::a<int>", "1", "AIV_ONLY")), std::string::npos);
  EXPECT_NE(got.text.find(site("b", "2", "MIX_AIC_1_1")), std::string::npos);
}

TEST(Dialect, TemplatesMayHaveAttributes) {
  for (const char* attribute : {"[[gnu::noinline]]", "[[bisheng::core_ratio(1, 2)]] [[a, b::c]]"}) {
    const Translation got = as_cxx(
        fmt::format("template <int N> {} __global__ void k(int x) {{}}", attribute), Pass::kHost);
    ASSERT_EQ(got.kernels.size(), 1u);
    EXPECT_TRUE(got.kernels[0].is_template) << attribute;
    EXPECT_EQ(got.kernels[0].template_parameters, "int N") << attribute;
    EXPECT_EQ(got.text.find("Kernel<"), std::string::npos) << got.text;
  }
}

TEST(Dialect, KernelsHaveParameters) {
  const Translation got = as_cxx(
      "template <typename T, int N> __global__ void k(uint8_t* x, Tiling<T, N> t, const T* = "
      "nullptr,"
      " unsigned int n = f(1, 2));\n__global__ void none() {}",
      Pass::kDevice);
  ASSERT_EQ(got.kernels.size(), 2u);
  EXPECT_TRUE(got.kernels[0].is_template);
  EXPECT_FALSE(got.kernels[1].is_template);
  EXPECT_TRUE(got.kernels[1].parameters.empty());
  std::string list;
  for (const auto& [type, name] : got.kernels[0].parameters) list += type + ":" + name + ";";
  EXPECT_EQ(list, "uint8_t*:x;Tiling<T, N>:t;const T*:;unsigned int:n;");
}

TEST(Dialect, DeviceCodePrintsThroughAscendC) {
  const std::string text =
      "namespace AscendC {} extern int printf (const char*, ...); void f() { printf(\"a\"); "
      "std::printf(\"b\"); x.printf(1); p->printf(2); return printf(\"c\"); }";
  EXPECT_EQ(as_cxx(text, Pass::kHost).text, text);
  EXPECT_EQ(as_cxx(text, Pass::kDevice).text,
            "namespace AscendC {} extern int printf (const char*, ...); void f() { "
            "::AscendC::printf(\"a\"); std::printf(\"b\"); x.printf(1); p->printf(2); return "
            "::AscendC::printf(\"c\"); }");
}

TEST(Dialect, QualifiersMayStandInBrackets) {
  EXPECT_EQ(
      as_cxx("inline [aicore] void f(); [host, aicore] int g(int (&a)[host]);\n[ aicore ,host "
             "] int h(); printf(\"[aicore]\"); a[host] = b[aicores];",
             Pass::kDevice)
          .text,
      "inline  void f();  int g(int (&a)[host]);\n int h(); printf(\"[aicore]\"); a[host] = "
      "b[aicores];");
  const Translation got = as_cxx(
      "template <class T> __global__ [aicore] void k(T x) { y; }\n"
      "void f() { k<int><<<1>>>(2); }",
      Pass::kHost, DeviceBodies::kLeftOut);
  ASSERT_EQ(got.kernels.size(), 1u);
  EXPECT_EQ(got.kernels[0].name, "k");
  EXPECT_EQ(got.text.find("y;"), std::string::npos);
  EXPECT_NE(got.text.find(site("k<int>", "1")), std::string::npos);
}

}  // namespace
}  // namespace vinci::launch
