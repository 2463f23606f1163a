// Blurs an image with the 3x3 binomial filter: 1 2 1, 2 4 2, 1 2 1, over 16. Beyond the edge lies the last pixel again.
//
//   ferry run examples/blur3.wgsl --load in=photo.png --save out=blurred.png

@group(0) @binding(0) var in: texture_2d<f32>;
@group(0) @binding(1) var out: texture_storage_2d<rgba8unorm, write>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (any(id.xy >= textureDimensions(out))) {
        return;
    }
    let last = vec2i(textureDimensions(in)) - 1;
    var sum = vec4f(0.0);
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let weight = f32((2 - abs(x)) * (2 - abs(y)));
            sum += weight * textureLoad(in, clamp(vec2i(id.xy) + vec2i(x, y), vec2i(0), last), 0);
        }
    }
    textureStore(out, id.xy, sum / 16.0);
}
