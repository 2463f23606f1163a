// Doubles every number of an array of any length: a thread takes one number, then the next one a whole grid further on.
//
//   ferry run examples/double.wgsl --load data=in.npy --save data=out.npy --groups 4096

@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let threads = groups.x * 64u;
    for (var i = id.x; i < arrayLength(&data); i += threads) {
        data[i] = data[i] * 2.0;
    }
}
