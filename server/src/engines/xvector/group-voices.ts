// Speaker clustering: how many people speak, and who speaks in each window.
import { type Merge, mergesOf } from './merges.ts'

export interface SpeakerBounds {
  readonly minSpeakers: number
  readonly maxSpeakers: number
}

export interface HeardVoice {
  readonly fromMs: number
  readonly toMs: number
  /** A vector of unit length. */
  readonly vector: Float32Array
}

// Two groups above the first similarity are one person; so are groups that are nearly as similar to each other as
// within themselves, since some voices and lines make everything more similar. Measured by
// bench/transcription-diarization.ts.
const sameVoice = 0.42
const sameShare = 0.62
// Overlapping windows of one stretch are too similar for that comparison: small groups only need this absolute
// similarity.
const manyWindows = 6
const sameFew = 0.31
// Within a few minutes, this similarity is certainly one person.
const surelySame = 0.45
// A shorter window says too little about a voice to found a group.
const tellingMs = 700
// Anyone speaking for less than this in total is more likely an odd sound of someone else.
const leastTalkMs = 2_000
// The work is quadratic in the windows, so long recordings are clustered in blocks first.
const blockSize = 600
// Groups left per block, so that a day has thousands and not a hundred thousand.
const bundlesPerBlock = 24

const lengthMs = ({ fromMs, toMs }: HeardVoice) => toMs - fromMs

/** A speaker number per window; the windows are in chronological order. */
export function groupVoices(voices: readonly HeardVoice[], bounds: SpeakerBounds): number[] {
  const telling = voices.filter((voice) => lengthMs(voice) >= tellingMs)
  const centres = centresOf(telling.length > 0 ? telling : voices, bounds)
  return smoothSpeakers(
    voices.map(({ vector, fromMs, toMs }) => ({
      fromMs,
      toMs,
      similarities: centres.map((centre) => dot(vector, centre) / Math.hypot(...centre)),
    })),
  )
}

/** The mean vector of each person. */
function centresOf(founders: readonly HeardVoice[], bounds: SpeakerBounds): Float32Array[] {
  const bundles = founders.length > blockSize ? inBlocks(founders) : founders.map((voice) => [voice])
  const means = bundles.map((members) => mean(members))
  const merges = mergesOf(
    means,
    bundles.map((members) => members.length),
  )
  return peopleIn(bundles, merges, bounds).map((members) => mean(members))
}

/** Clusters each block of a long recording so tightly that no two people are mixed. */
function inBlocks(voices: readonly HeardVoice[]): HeardVoice[][] {
  const bundles: HeardVoice[][] = []
  for (let from = 0; from < voices.length; from += blockSize) {
    const block = voices.slice(from, from + blockSize)
    const merges = mergesOf(
      block.map(({ vector }) => vector),
      block.map(() => 1),
    )
    const tight = merges.filter(({ similarity }) => similarity >= surelySame).length
    const enough = merges.slice(0, Math.max(tight, block.length - bundlesPerBlock))
    for (const numbers of united(enough, block.length))
      bundles.push(numbers.flatMap((number) => block[number] ?? []))
  }
  return bundles
}

/**
 * Groups the voices into the apparent number of people, within the bounds. Odd sounds are absorbed before two people
 * are merged.
 */
function peopleIn(
  bundles: readonly HeardVoice[][],
  merges: readonly Merge[],
  { minSpeakers, maxSpeakers }: SpeakerBounds,
): HeardVoice[][] {
  const { same, different } = judged(merges)
  const inOrder = [...same, ...different]
  for (let made = Math.max(0, Math.min(same.length, bundles.length - minSpeakers)); ; made++) {
    const groups = united(inOrder.slice(0, made), bundles.length)
    const people = groups.map((numbers) => numbers.flatMap((number) => bundles[number] ?? []))
    const telling = absorbed(people, minSpeakers)
    if (telling.length <= maxSpeakers || made >= inOrder.length) return telling
  }
}

/** A merge that includes a mixed group is mixed, too. */
function judged(merges: readonly Merge[]): { same: readonly Merge[]; different: readonly Merge[] } {
  const mixed = new Set<number>()
  const [same, different]: [Merge[], Merge[]] = [[], []]
  for (const merge of merges) {
    const pure = !mixed.has(merge.one) && !mixed.has(merge.other)
    if (pure && isOnePerson(merge)) same.push(merge)
    else {
      different.push(merge)
      mixed.add(merge.one)
    }
  }
  return { same, different }
}

const isOnePerson = ({ similarity, cohesion, fewest }: Merge) =>
  similarity >= sameVoice ||
  (fewest < manyWindows
    ? similarity >= sameFew
    : cohesion !== undefined && similarity >= sameShare * cohesion)

/** The members of each group after these merges. */
function united(merges: readonly Merge[], count: number): number[][] {
  const leader = Array.from({ length: count }, (_, number) => number)
  const find = (number: number): number => {
    const above = leader[number] ?? number
    return above === number ? number : find(above)
  }
  for (const { one, other } of merges) leader[find(other)] = find(one)
  const groups = new Map<number, number[]>()
  for (let number = 0; number < count; number++) {
    const first = find(number)
    groups.set(first, [...(groups.get(first) ?? []), number])
  }
  return [...groups.values()]
}

/** Drops the smallest groups while enough remain; their windows are assigned to the others afterwards. */
function absorbed(people: readonly HeardVoice[][], minSpeakers: number): HeardVoice[][] {
  const talkMs = (members: readonly HeardVoice[]) => members.reduce((sum, voice) => sum + lengthMs(voice), 0)
  const bySize = people.toSorted((a, b) => talkMs(b) - talkMs(a))
  return bySize.filter((members, place) => place < Math.max(1, minSpeakers) || talkMs(members) >= leastTalkMs)
}

function mean(voices: readonly HeardVoice[]): Float32Array {
  const sum = new Float32Array(voices[0]?.vector.length ?? 0)
  for (const { vector } of voices)
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (vector[i] as number) / voices.length
  return sum
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += (one[i] as number) * (other[i] as number)
  return sum
}

interface ScoredWindow {
  readonly fromMs: number
  readonly toMs: number
  /** The similarities to each person's mean vector. */
  readonly similarities: readonly number[]
}

// Penalty for a speaker change, in similarity over a full window: inside one stretch of speech, and after a pause.
const changeInBreath = 0.25
const changeAfterPause = 0.05
// Windows of this length or more have full weight.
const fullMs = 1_500

/**
 * The most likely sequence of speakers, given a penalty for changing them (Viterbi): a speaker number per window; the
 * windows are in chronological order.
 */
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
