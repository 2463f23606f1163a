// Rings that run outwards from the middle, as a film, by a compute shader.
//
//   ferry record examples/ripples.wgsl --size 640x640 --frames 60 -o ripples.png

@group(0) @binding(0) var picture: texture_storage_2d<rgba8unorm, write>;
@group(0) @binding(1) var<uniform> frame: u32;

@compute @workgroup_size(8, 8)
fn ripples(@builtin(global_invocation_id) id: vec3u) {
    let size = textureDimensions(picture);
    if (any(id.xy >= size)) {
        return;
    }
    let from_middle = vec2f(id.xy) + 0.5 - 0.5 * vec2f(size);
    let ring = abs(fract((length(from_middle) - f32(frame)) / 32.0) - 0.5) * 2.0;
    textureStore(picture, id.xy, vec4f(ring * 0.25, ring * 0.5, ring, 1.0));
}
