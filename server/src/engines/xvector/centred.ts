// Cepstral mean normalisation: subtracts the channel's mean over the surrounding seconds.

// The window is three seconds, as in training.
const windowFrames = 300

export function centred(frames: readonly Float32Array[]): Float32Array[] {
  const width = frames[0]?.length ?? 0
  const window = Math.min(windowFrames, frames.length)
  const sums = new Float64Array(width)
  const add = (place: number, sign: 1 | -1) => {
    const frame = frames[place] as Float32Array
    for (let c = 0; c < width; c++) sums[c] = (sums[c] as number) + sign * (frame[c] as number)
  }
  for (let place = 0; place < window; place++) add(place, 1)
  let from = 0
  return frames.map((frame, place) => {
    // At both ends the window stays inside the recording.
    const wanted = Math.min(Math.max(place - Math.floor(window / 2), 0), frames.length - window)
    for (; from < wanted; from++) {
      add(from, -1)
      add(from + window, 1)
    }
    return frame.map((value, c) => value - (sums[c] as number) / window)
  })
}
