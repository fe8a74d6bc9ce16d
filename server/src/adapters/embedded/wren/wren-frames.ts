// The frames in which wren computes: 12.5 ms at 24 kHz.
export const wrenHz = 24_000
export const samplesPerWrenFrame = 300
