// How sure a decoder was of one of its tokens.

// Of tens of thousands of others, those so far behind add less than a hundredth all together; a logarithm.
const hopeless = -15

/** A share of the whole: softmax, for one place only. */
export function probabilityOf(token: number, logits: Float32Array): number {
  const own = logits[token] as number
  let sum = 0
  for (let i = 0; i < logits.length; i++) {
    const behind = (logits[i] as number) - own
    if (behind > hopeless) sum += Math.exp(behind)
  }
  return 1 / sum
}
