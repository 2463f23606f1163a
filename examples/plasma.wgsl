// A plasma: waves of light that cross, as a film.
//
//   ferry record examples/plasma.wgsl --size 1920x1080 --frames 120 -o plasma.y4m

struct Now {
    time: f32,         // seconds
    frame: u32,        // from 0
    resolution: vec2f, // pixels
}
@group(0) @binding(0) var<uniform> now: Now;

// From 0 to 1 and back, once for each whole number of x.
fn wave(x: f32) -> f32 {
    return abs(2.0 * fract(x) - 1.0);
}

@fragment
fn plasma(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let at = position.xy / now.resolution;
    let across = wave(2.0 * at.x + 0.25 * now.time);
    let down = wave(3.0 * at.y - 0.5 * now.time);
    let aslant = wave(at.x + at.y + 0.5 * across * down);
    return vec4f(0.5 * across + 0.5 * aslant, 0.75 * aslant * down, 0.25 + 0.75 * down * across, 1.0);
}
