// Converts samples to what the networks expect: numbers between -1 and 1.
export const floats = (samples: Int16Array): Float32Array<ArrayBuffer> => {
  const output = new Float32Array(samples.length)
  for (let i = 0; i < samples.length; i++) output[i] = (samples[i] as number) / 32_768
  return output
}
