// An image as it is: what comes out has the bytes of what went in.
//
//   ferry run examples/identity.wgsl --load in=photo.png --save out=same.png

@group(0) @binding(0) var in: texture_2d<f32>;
@group(0) @binding(1) var out: texture_storage_2d<rgba8unorm, write>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (any(id.xy >= textureDimensions(out))) {
        return;
    }
    textureStore(out, id.xy, textureLoad(in, id.xy, 0));
}
