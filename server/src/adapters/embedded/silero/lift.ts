// How much softer speech than usual is lifted before the detector hears it: it was trained on speech of good level.

// Where the loud parts of a good recording lie, in dB of full scale.
const usualDb = -15
// More would lift the hiss of the converter to the level of speech.
const mostDb = 40
// Whoever speaks up is followed at once, whoever is silent for a while is not lifted for it.
const forgottenDbPerBlock = 2
// One window in twenty is loud where somebody speaks; a click is fewer.
const loudShare = 0.95

/** How loud the sound is, by the levels of a block's windows and what it was before. */
export function loudnessDb(levelsDb: Float32Array, beforeDb: number | undefined): number {
  const sorted = levelsDb.toSorted()
  const loud = sorted[Math.floor(sorted.length * loudShare)] ?? usualDb
  return beforeDb === undefined ? loud : Math.max(loud, beforeDb - forgottenDbPerBlock)
}

/** What samples are multiplied with; nothing is ever made softer. */
export const liftFor = (loudDb: number): number =>
  10 ** (Math.min(Math.max(usualDb - loudDb, 0), mostDb) / 20)
