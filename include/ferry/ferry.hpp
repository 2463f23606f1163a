// SPDX-License-Identifier: MIT
#pragma once

// Everything but interop.hpp (raw handles) and linked.hpp (an engine that the program links).

#include "ferry/batch.hpp"
#include "ferry/buffer.hpp"
#include "ferry/commands.hpp"
#include "ferry/device.hpp"
#include "ferry/engine.hpp"
#include "ferry/error.hpp"
#include "ferry/format.hpp"
#include "ferry/kernel.hpp"
#include "ferry/layout.hpp"
#include "ferry/limits.hpp"
#include "ferry/mapping.hpp"
#include "ferry/readback_ring.hpp"
#include "ferry/shader.hpp"
#include "ferry/stream.hpp"
#include "ferry/texture.hpp"
#include "ferry/ticket.hpp"
#include "ferry/upload_pool.hpp"
#include "ferry/write.hpp"
