// SPDX-License-Identifier: MIT
// Linked into the programs of sanitizer builds: LeakSanitizer can name a leak's module only while
// it is loaded, and the Vulkan loader unloads drivers when an instance ends. The symbol is
// exported, so libraries find this one first.
extern "C" __attribute__((visibility("default"))) int dlclose(void*) { return 0; }
