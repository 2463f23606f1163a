// SPDX-License-Identifier: MIT
#include <ferry/linked.hpp>

#include <ferry/linked.hpp> // twice is once
