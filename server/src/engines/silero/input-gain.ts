// The gain by which quiet speech is amplified for the detector, which was trained on speech of normal level.

// Level of the loud parts of a good recording, in dBFS.
const usualDb = -15
// More gain would raise the converter's hiss to the level of speech.
const mostDb = 40
// The loudness follows a rising level at once and a falling one slowly, so that a pause is not amplified.
const forgottenDbPerBlock = 2
// In speech one window in twenty is loud; a click is rarer.
const loudShare = 0.95

/** The level of a block, by its windows and the level before. */
export function loudnessDb(levelsDb: Float32Array, beforeDb: number | undefined): number {
  const sorted = levelsDb.toSorted()
  const loud = sorted[Math.floor(sorted.length * loudShare)] ?? usualDb
  return beforeDb === undefined ? loud : Math.max(loud, beforeDb - forgottenDbPerBlock)
}

/** The linear gain; never below 1. */
export const inputGain = (loudDb: number): number =>
  10 ** (Math.min(Math.max(usualDb - loudDb, 0), mostDb) / 20)
