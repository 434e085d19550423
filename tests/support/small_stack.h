// Programs so long that nothing may recurse over them.
#pragma once

#include <gtest/gtest.h>
#include <pthread.h>

#include <exception>

namespace calx::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr int kLongChain = 100'000;
#else
inline constexpr int kLongChain = 1'000'000;
#endif

/// Runs work on a thread with a stack of 256 KB.
inline void on_small_stack(void (*work)()) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
  pthread_t thread;
  ASSERT_EQ(pthread_create(
                &thread, &attributes,
                [](void* argument) -> void* {
                  try {
                    reinterpret_cast<void (*)()>(argument)();
                  } catch (const std::exception& error) {
                    ADD_FAILURE() << error.what();
                  }
                  return nullptr;
                },
                reinterpret_cast<void*>(work)),
            0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

}  // namespace calx::test
