// Who speaks in each window, when people do not change places within a word: the likeliest course of a conversation.

export interface Likely {
  readonly fromMs: number
  readonly toMs: number
  /** To each person's voice. */
  readonly likenesses: readonly number[]
}

// What a change of speaker has to gain, in likeness over a full window, inside one breath and after a pause.
const changeInBreath = 0.25
const changeAfterPause = 0.05
// A window of this length has its full say.
const fullMs = 1_500

/** A person's number per window; the windows are in order of time. */
export function steady(windows: readonly Likely[]): number[] {
  const people = windows[0]?.likenesses.length ?? 0
  let scores = Array.from({ length: people }, () => 0)
  const froms: number[][] = []
  windows.forEach((window, place) => {
    const before = windows[place - 1]
    const change = before && window.fromMs < before.toMs ? changeInBreath : changeAfterPause
    const best = scores.indexOf(Math.max(...scores))
    const weight = Math.min(1, (window.toMs - window.fromMs) / fullMs)
    const from = scores.map((score, person) => (score >= (scores[best] ?? 0) - change ? person : best))
    scores = window.likenesses.map((likeness, person) => {
      const source = from[person] ?? person
      return (scores[source] ?? 0) - (source === person ? 0 : change) + weight * likeness
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
