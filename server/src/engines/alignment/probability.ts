// A decoder's confidence in one of its tokens.

// Logits this far behind are skipped: tens of thousands of them together add less than 1 %.
const hopeless = -15

/** Softmax for a single index. */
export function probabilityOf(token: number, logits: Float32Array): number {
  const own = logits[token] as number
  let sum = 0
  for (let i = 0; i < logits.length; i++) {
    const behind = (logits[i] as number) - own
    if (behind > hopeless) sum += Math.exp(behind)
  }
  return 1 / sum
}
