// SPDX-License-Identifier: MIT
//
// ferry_fake: a webgpu.h engine in host memory that a test can command. It is for tests only.
//
// A `FerryFake` is the world behind one WGPUInstance: its script, clock, counters and findings. It
// outlives the instance, so a test can ask for leaks when everything else is gone:
//
//     FerryFake* fake = ferry_fake_new();
//     ferry_fake_next_instance(fake);    // the next wgpuCreateInstance belongs to this world
//     ... run the program under test ...
//     assert(ferry_fake_check_clean(fake, text, sizeof text) == 0);
//     ferry_fake_free(fake);
//
// An instance created without `ferry_fake_next_instance` gets a world of its own with the default
// script: submissions take no time, and callbacks come at the next wgpuInstanceProcessEvents or
// wgpuInstanceWaitAny.
//
// Threads: calls on one world are serialised by a lock of that world; two worlds are independent.
// The only state of the process is the hand-over slot of `ferry_fake_next_instance` and the log of
// handles that belong to no world.
#ifndef FERRY_FAKE_FERRY_FAKE_H
#define FERRY_FAKE_FERRY_FAKE_H

#include <stddef.h>
#include <stdint.h>

#include <webgpu/webgpu.h>

#if defined(__GNUC__)
#define FERRY_FAKE_EXPORT __attribute__((visibility("default")))
#else
#define FERRY_FAKE_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FerryFake FerryFake;

// A time that never comes: a submission of this duration hangs, a map of this latency stays
// pending.
#define FERRY_FAKE_NEVER (UINT64_MAX)

// Version of this interface. The symbol also tells which engine a library is.
FERRY_FAKE_EXPORT uint32_t ferry_fake_version(void);

// The function of that webgpu.h name ("wgpuBufferMapAsync"), or NULL. Fits ferry's
// `Engine::from(find, context)`; `context` is not used.
FERRY_FAKE_EXPORT void* ferry_fake_symbol(void* context, const char* name);

// == Worlds

FERRY_FAKE_EXPORT FerryFake* ferry_fake_new(void);
// Gives the test's hold back. Objects that still live keep the world alive.
FERRY_FAKE_EXPORT void ferry_fake_free(FerryFake* fake);
// The next wgpuCreateInstance of this process uses `fake`. NULL takes the wish back.
FERRY_FAKE_EXPORT void ferry_fake_next_instance(FerryFake* fake);
// The world behind an instance or a device; borrowed, valid while the object lives.
FERRY_FAKE_EXPORT FerryFake* ferry_fake_of_instance(WGPUInstance instance);
FERRY_FAKE_EXPORT FerryFake* ferry_fake_of_device(WGPUDevice device);

// == Time
// Time is virtual and starts at 0. It moves by `advance`, by a pump step, and inside a WaitAny with
// a timeout, which jumps to the first completion or to its end.

FERRY_FAKE_EXPORT uint64_t ferry_fake_now(const FerryFake* fake);
FERRY_FAKE_EXPORT void ferry_fake_advance(FerryFake* fake, uint64_t nanoseconds);
// Every wgpuInstanceProcessEvents and wgpuInstanceWaitAny first advances by this much. Default 0.
FERRY_FAKE_EXPORT void ferry_fake_set_pump_step(FerryFake* fake, uint64_t nanoseconds);
// How long each following submission runs on the queue. Default 0.
FERRY_FAKE_EXPORT void ferry_fake_set_submission_time(FerryFake* fake, uint64_t nanoseconds);
// How long a map takes after the GPU is done with its buffer. Default 0.
FERRY_FAKE_EXPORT void ferry_fake_set_map_latency(FerryFake* fake, uint64_t nanoseconds);

typedef enum FerryFakeMapOrder {
    FERRY_FAKE_MAPS_IN_ORDER = 0, // maps that are ready are delivered in the order of their calls
    FERRY_FAKE_MAPS_REVERSED = 1, // last call first
    FERRY_FAKE_MAPS_SHUFFLED = 2, // by the seed
    FERRY_FAKE_MAPS_ALL_AT_ONCE = 3, // none is delivered before all pending ones are ready
    FERRY_FAKE_MAPS_ONE_PER_PUMP = 4 // in order, at most one per pump
} FerryFakeMapOrder;
// A map never passes a work-done call made after it (rules Q-06), whatever the order.
FERRY_FAKE_EXPORT void ferry_fake_set_map_order(FerryFake* fake, FerryFakeMapOrder order,
                                                uint64_t seed);

typedef enum FerryFakeDelivery {
    // Only inside ProcessEvents and WaitAny.
    FERRY_FAKE_DELIVER_IN_PUMPS = 0,
    // AllowSpontaneous callbacks also at the end of any call: legal, and nasty.
    FERRY_FAKE_DELIVER_SPONTANEOUS = 1,
    // Every mode at the end of any call: what wgpu-native does, and not the standard.
    FERRY_FAKE_DELIVER_ANYWHERE = 2
} FerryFakeDelivery;
FERRY_FAKE_EXPORT void ferry_fake_set_delivery(FerryFake* fake, FerryFakeDelivery delivery);

// == Faults

typedef enum FerryFakeAction {
    // What the call reports. With the first three a create call gives an error object.
    FERRY_FAKE_FAIL = 1, // validation error, status Error, NULL pointer: the call's own way to fail
    FERRY_FAKE_OUT_OF_MEMORY = 2,  // out-of-memory error
    FERRY_FAKE_INTERNAL_ERROR = 3, // internal error
    FERRY_FAKE_NULL = 4,           // does nothing, answers NULL or zero, raises no error
    // How an asynchronous operation ends.
    FERRY_FAKE_ABORT = 5,              // a map ends as Aborted; other operations as Error
    FERRY_FAKE_SUCCESS_AFTER_LOSS = 6, // a map ends as Success even when the device is lost
    FERRY_FAKE_TWICE = 7,              // the callback runs twice
    FERRY_FAKE_NEVER_CALLS_BACK = 8,   // the callback never runs, until the instance is released
    FERRY_FAKE_LATE = 9,               // `delay` nanoseconds later than scripted otherwise
    // Loss of the device that the call's object belongs to; of all devices for an instance or adapter.
    FERRY_FAKE_LOSE_BEFORE = 10, // before the call sees anything
    FERRY_FAKE_LOSE_DURING = 11, // after the call's caller-side checks, before its device-side work
    FERRY_FAKE_LOSE_AFTER = 12   // after the call's work, before it returns
} FerryFakeAction;

typedef struct FerryFakeFault {
    const char* function; // "wgpuBufferMapAsync"; NULL means any function
    uint64_t nth;         // which matching call from now on: 1 is the next one, 0 means 1
    uint64_t times;       // how many calls in a row from there: 0 means 1, UINT64_MAX means all
    FerryFakeAction action;
    uint64_t delay; // nanoseconds, for FERRY_FAKE_LATE
} FerryFakeFault;

// Answers 0 when the function's name is unknown, else 1.
FERRY_FAKE_EXPORT int ferry_fake_script(FerryFake* fake, const FerryFakeFault* fault);
FERRY_FAKE_EXPORT void ferry_fake_clear_faults(FerryFake* fake);
// Number of faults that have been applied to a call so far.
FERRY_FAKE_EXPORT uint64_t ferry_fake_faults_applied(const FerryFake* fake);
// Loses every device of the world now.
FERRY_FAKE_EXPORT void ferry_fake_lose_devices(FerryFake* fake);
// Device memory in bytes; creation beyond it is an out-of-memory error. Default: no cap.
FERRY_FAKE_EXPORT void ferry_fake_set_memory_cap(FerryFake* fake, uint64_t bytes);
// What adapters made from now on offer. Fields left at their INIT value keep the fake's own value;
// a value below the standard's default is allowed, and then devices get no more than it.
FERRY_FAKE_EXPORT void ferry_fake_set_limits(FerryFake* fake, const WGPULimits* limits);
// Takes a feature from adapters made from now on (0) or offers it (1).
FERRY_FAKE_EXPORT void ferry_fake_set_feature(FerryFake* fake, WGPUFeatureName feature,
                                              int offered);

// == Host functions as shaders

typedef struct FerryFakeBinding {
    uint32_t group;
    uint32_t binding;
    void* data;    // the bound bytes; for a texture view its first level and layer, rows tight
    uint64_t size; // bytes that may be touched
    int writable;  // 0 for uniform, read-only storage and sampled textures
    WGPUTextureFormat format; // of a texture view; Undefined for a buffer
    uint32_t width;           // of a texture view, in texels; else 0
    uint32_t height;
    uint32_t layers;
    uint32_t bytes_per_row;
} FerryFakeBinding;

typedef struct FerryFakeConstant {
    const char* key;
    double value;
} FerryFakeConstant;

typedef struct FerryFakeDispatch {
    const char* entry_point;
    const char* code; // the module's WGSL
    const FerryFakeBinding* bindings;
    size_t binding_count;
    uint32_t workgroups[3];
    const FerryFakeConstant* constants; // pipeline-overridable constants given at pipeline creation
    size_t constant_count;
} FerryFakeDispatch;

typedef void (*FerryFakeShader)(const FerryFakeDispatch* dispatch, void* userdata);
// Runs `shader` for every dispatch of that entry point, when its submission is done on the virtual
// clock. A dispatch of an entry point without a function is noted as misuse. A null `shader` takes
// the function away. A null or empty `entry_point` stands for every entry point that has no
// function of its own: look at `code` to tell them apart.
FERRY_FAKE_EXPORT void ferry_fake_set_shader(FerryFake* fake, const char* entry_point,
                                             FerryFakeShader shader, void* userdata);

// == Accounting

// Calls of one function so far ("wgpuQueueSubmit"), or of all functions for NULL.
FERRY_FAKE_EXPORT uint64_t ferry_fake_calls(const FerryFake* fake, const char* function);
// Objects that the program still holds: of one kind ("Buffer", "Texture", "CommandEncoder"), or all
// for NULL.
FERRY_FAKE_EXPORT uint64_t ferry_fake_live(const FerryFake* fake, const char* kind);
// Objects ever made, by the same names.
FERRY_FAKE_EXPORT uint64_t ferry_fake_created(const FerryFake* fake, const char* kind);
// Bytes of device memory in buffers and textures, and the most there ever were.
FERRY_FAKE_EXPORT uint64_t ferry_fake_bytes(const FerryFake* fake);
FERRY_FAKE_EXPORT uint64_t ferry_fake_peak_bytes(const FerryFake* fake);
// Callbacks that have been asked for and not delivered. The device-lost callback does not count.
FERRY_FAKE_EXPORT uint64_t ferry_fake_pending_callbacks(const FerryFake* fake);
// Queue operations (submissions and writes) that are not done on the virtual clock.
FERRY_FAKE_EXPORT uint64_t ferry_fake_pending_operations(const FerryFake* fake);
// Errors that calls of the program caused, scripted ones not counted, whether a scope took them or
// not.
FERRY_FAKE_EXPORT uint64_t ferry_fake_errors(const FerryFake* fake);
// Text of error `index`, or NULL. Valid until the next call on this world.
FERRY_FAKE_EXPORT const char* ferry_fake_error(const FerryFake* fake, uint64_t index);
// What no WebGPU error exists for: null, stale and foreign handles, one release too many, a null
// callback, a write through a read mapping, a dispatch without a host function.
FERRY_FAKE_EXPORT uint64_t ferry_fake_misuses(const FerryFake* fake);
FERRY_FAKE_EXPORT const char* ferry_fake_misuse(const FerryFake* fake, uint64_t index);
// For tests that misuse on purpose.
FERRY_FAKE_EXPORT void ferry_fake_forget_misuses(FerryFake* fake);
// Misuse with handles that belong to no world of the fake, since the process began.
FERRY_FAKE_EXPORT uint64_t ferry_fake_foreign_handles(void);

// 0 when the program holds no object, every callback has run, and no misuse was found; else the
// number of findings, with their text, one per line, cut to `capacity` bytes including the final
// zero. `text` may be NULL.
FERRY_FAKE_EXPORT uint64_t ferry_fake_check_clean(const FerryFake* fake, char* text,
                                                  size_t capacity);

#ifdef __cplusplus
}
#endif

#endif // FERRY_FAKE_FERRY_FAKE_H
