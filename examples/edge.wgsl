// Shows where an image changes: the length of the Sobel gradient of its luminance, in grey.
//
//   ferry run examples/edge.wgsl --load in=photo.png --set gain=0.5 --save out=edges.png

override gain: f32 = 1.0;

@group(0) @binding(0) var in: texture_2d<f32>;
@group(0) @binding(1) var out: texture_storage_2d<rgba8unorm, write>;

fn luminance(place: vec2i) -> f32 {
    let last = vec2i(textureDimensions(in)) - 1;
    let pixel = textureLoad(in, clamp(place, vec2i(0), last), 0);
    return dot(pixel.rgb, vec3f(0.2126, 0.7152, 0.0722));
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (any(id.xy >= textureDimensions(out))) {
        return;
    }
    var gradient = vec2f(0.0);
    for (var i = -1; i <= 1; i++) {
        let weight = f32(2 - abs(i));
        let place = vec2i(id.xy);
        gradient.x += weight * (luminance(place + vec2i(1, i)) - luminance(place + vec2i(-1, i)));
        gradient.y += weight * (luminance(place + vec2i(i, 1)) - luminance(place + vec2i(i, -1)));
    }
    textureStore(out, id.xy, vec4f(vec3f(gain * length(gradient)), 1.0));
}
