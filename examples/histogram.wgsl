// Counts how many values lie in each of a number of equal bins from low to high; values outside are left out.
//
//   ferry run examples/histogram.wgsl --load values=in.npy --zero 'bins=u32[16]' --set high=10 --save bins=bins.npy \
//       --groups 256

override low: f32 = 0.0;
override high: f32 = 1.0;

@group(0) @binding(0) var<storage, read> values: array<f32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let count = f32(arrayLength(&bins));
    for (var i = id.x; i < arrayLength(&values); i += groups.x * 64u) {
        let place = floor((values[i] - low) / (high - low) * count);
        if (place >= 0.0 && place < count) {
            atomicAdd(&bins[u32(place)], 1u);
        }
    }
}
