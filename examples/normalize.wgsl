// Makes every vector of an (N, 3) array one long. ferry leaves the gap that WGSL has after each vec3f.
//
//   ferry run examples/normalize.wgsl --load vectors=in.npy --save vectors=out.npy --groups 1024

@group(0) @binding(0) var<storage, read_write> vectors: array<vec3f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    for (var i = id.x; i < arrayLength(&vectors); i += groups.x * 64u) {
        vectors[i] = normalize(vectors[i]);
    }
}
