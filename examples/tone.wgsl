// A tone curve: brighter or darker by `exposure` stops, then an S curve of strength `contrast`, 0 to 1. Alpha stays.
//
//   ferry run examples/tone.wgsl --load in=photo.png --set exposure=0.5 --set contrast=0.8 --save out=toned.png

override exposure: f32 = 0.0;
override contrast: f32 = 0.5;

@group(0) @binding(0) var in: texture_2d<f32>;
@group(0) @binding(1) var out: texture_storage_2d<rgba8unorm, write>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (any(id.xy >= textureDimensions(out))) {
        return;
    }
    let pixel = textureLoad(in, id.xy, 0);
    let lit = saturate(pixel.rgb * exp2(exposure));
    let curved = lit * lit * (3.0 - 2.0 * lit);
    textureStore(out, id.xy, vec4f(mix(lit, curved, contrast), pixel.a));
}
