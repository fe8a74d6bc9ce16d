// Smooths speaker assignments over time: the most likely sequence, given a penalty for changing speakers (Viterbi).

export interface ScoredWindow {
  readonly fromMs: number
  readonly toMs: number
  /** To each person's mean vector. */
  readonly similarities: readonly number[]
}

// Penalty for a speaker change, in similarity over a full window: inside one stretch of speech, and after a pause.
const changeInBreath = 0.25
const changeAfterPause = 0.05
// Windows of this length or more have full weight.
const fullMs = 1_500

/** A speaker number per window; the windows are in chronological order. */
export function smoothSpeakers(windows: readonly ScoredWindow[]): number[] {
  const people = windows[0]?.similarities.length ?? 0
  let scores = Array.from({ length: people }, () => 0)
  const froms: number[][] = []
  windows.forEach((window, place) => {
    const before = windows[place - 1]
    const change = before && window.fromMs < before.toMs ? changeInBreath : changeAfterPause
    const best = scores.indexOf(Math.max(...scores))
    const weight = Math.min(1, (window.toMs - window.fromMs) / fullMs)
    const from = scores.map((score, person) => (score >= (scores[best] ?? 0) - change ? person : best))
    scores = window.similarities.map((similarity, person) => {
      const source = from[person] ?? person
      return (scores[source] ?? 0) - (source === person ? 0 : change) + weight * similarity
    })
    froms.push(from)
  })
  return walkBack(froms, scores.indexOf(Math.max(...scores)))
}

function walkBack(froms: readonly (readonly number[])[], last: number): number[] {
  const course: number[] = []
  let person = last
  for (const from of froms.toReversed()) {
    course.push(person)
    person = from[person] ?? person
  }
  return course.toReversed()
}
