// The diarization error rate: the share of a conversation that is attributed to the wrong speaker or to none.

export interface SpeakerTurn {
  readonly speaker: number
  readonly fromMs: number
  readonly toMs: number
}

const stepMs = 10
// The usual collar: time this close to a turn boundary is not scored, because boundaries are not exact.
const collarMs = 250

/** Missed, false-alarm and confused time, divided by the time with speech. */
export function diarizationError(said: readonly SpeakerTurn[], heard: readonly SpeakerTurn[]): number {
  const endMs = Math.max(...[...said, ...heard].map(({ toMs }) => toMs))
  const speakers = (turns: readonly SpeakerTurn[]) => [...new Set(turns.map(({ speaker }) => speaker))]
  const [truth, found] = [track(said, endMs), track(heard, endMs)]
  const counted = truth.map((_, step) => !said.some((turn) => nearEdge(turn, step * stepMs)))
  const spoken = truth.filter((speaker, step) => speaker !== undefined && counted[step]).length
  const rates = mappings(speakers(heard), speakers(said)).map((mapping) => {
    const wrong = truth.filter((speaker, step) => {
      const other = found[step]
      return counted[step] && speaker !== (other === undefined ? undefined : (mapping.get(other) ?? -1))
    })
    return wrong.length / spoken
  })
  return Math.min(...rates)
}

function track(turns: readonly SpeakerTurn[], endMs: number): (number | undefined)[] {
  const steps = new Array<number | undefined>(Math.ceil(endMs / stepMs)).fill(undefined)
  for (const { speaker, fromMs, toMs } of turns)
    steps.fill(speaker, Math.round(fromMs / stepMs), Math.round(toMs / stepMs))
  return steps
}

const nearEdge = ({ fromMs, toMs }: SpeakerTurn, ms: number) =>
  Math.abs(ms - fromMs) < collarMs || Math.abs(ms - toMs) < collarMs

/** Every mapping of detected to real speakers, at most one to one. */
function mappings(heard: readonly number[], real: readonly number[]): Map<number, number>[] {
  const [first, ...rest] = heard
  if (first === undefined) return [new Map()]
  const withFirst = real.flatMap((one) =>
    mappings(
      rest,
      real.filter((other) => other !== one),
    ).map((mapping) => new Map([[first, one], ...mapping])),
  )
  return [...withFirst, ...mappings(rest, real)]
}
