// Audio on the WebSocket of a browser: binary messages of 20 ms, 16-bit little-endian, mono.
export const webSound = { rateHz: 16_000, frameSamples: 320, frameBytes: 640 } as const
