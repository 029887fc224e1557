// The end of a kernel file of which one instance of a template is wanted: `vinci run --kernel
// 'add<float, 8>'` compiles this file, includes the kernel's before it, and defines
// VINCI_KERNEL_INSTANCE as these words. No include guard: it is a source of its own.

// Its address makes the compiler instantiate it, and tells vinci where it is.
extern "C" {
__attribute__((used, visibility("default"))) auto vinci_kernel_instance = &VINCI_KERNEL_INSTANCE;
}
