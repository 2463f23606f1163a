// y = scale * x + y, then clamped: two arrays, a uniform and an override.
//
//   ferry run examples/saxpy.wgsl --load x=x.npy --load y=y.npy --set params.scale=2.5 --set most=100 --save y=out.npy

struct Params {
    scale: f32,
}

override most: f32 = 3.0e38;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x < arrayLength(&x) && id.x < arrayLength(&y)) {
        y[id.x] = min(params.scale * x[id.x] + y[id.x], most);
    }
}
