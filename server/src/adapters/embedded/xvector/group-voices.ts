// How many people speak, and which of the windows are whose.
import { type Merge, mergesOf } from './merges.ts'
import { steady } from './steady.ts'

export interface SpeakerBounds {
  readonly minSpeakers: number
  readonly maxSpeakers: number
}

export interface HeardVoice {
  readonly fromMs: number
  readonly toMs: number
  /** Of length 1. */
  readonly vector: Float32Array
}

// What is as alike as this is one person's, and so is what is nearly as alike as either is in itself: some voices, and
// some lines, make everything more alike than others do. Measured: bench/transcription-diarization.ts.
const sameVoice = 0.42
const sameShare = 0.62
// The windows of one breath overlap and are too alike to compare with: a few of them only have to be alike enough.
const manyWindows = 6
const sameFew = 0.31
// Within a few minutes, what is as alike as this is certainly one person's.
const surelySame = 0.45
// A window shorter than this says too little about a voice to begin a group.
const tellingMs = 700
// Who speaks for less than this in all is more likely an odd sound of somebody else.
const leastTalkMs = 2_000
// The work grows with the square of the windows, so long recordings are grouped in blocks first.
const blockSize = 600
// What is left of each, so that a day has some thousands and not a hundred thousand.
const bundlesPerBlock = 24

const lengthMs = ({ fromMs, toMs }: HeardVoice) => toMs - fromMs

/** A person's number per window; the windows are in order of time. */
export function groupVoices(voices: readonly HeardVoice[], bounds: SpeakerBounds): number[] {
  const telling = voices.filter((voice) => lengthMs(voice) >= tellingMs)
  const centres = centresOf(telling.length > 0 ? telling : voices, bounds)
  return steady(
    voices.map(({ vector, fromMs, toMs }) => ({
      fromMs,
      toMs,
      likenesses: centres.map((centre) => dot(vector, centre) / Math.hypot(...centre)),
    })),
  )
}

/** One mean voice per person. */
function centresOf(founders: readonly HeardVoice[], bounds: SpeakerBounds): Float32Array[] {
  const bundles = founders.length > blockSize ? inBlocks(founders) : founders.map((voice) => [voice])
  const means = bundles.map((members) => mean(members))
  const merges = mergesOf(
    means,
    bundles.map((members) => members.length),
  )
  return peopleIn(bundles, merges, bounds).map((members) => mean(members))
}

/** Groups inside each block of a long recording, so tight that nobody is mixed with anybody. */
function inBlocks(voices: readonly HeardVoice[]): HeardVoice[][] {
  const bundles: HeardVoice[][] = []
  for (let from = 0; from < voices.length; from += blockSize) {
    const block = voices.slice(from, from + blockSize)
    const merges = mergesOf(
      block.map(({ vector }) => vector),
      block.map(() => 1),
    )
    const tight = merges.filter(({ likeness }) => likeness >= surelySame).length
    const enough = merges.slice(0, Math.max(tight, block.length - bundlesPerBlock))
    for (const numbers of united(enough, block.length))
      bundles.push(numbers.flatMap((number) => block[number] ?? []))
  }
  return bundles
}

/** As many people as there seem to be, within the bounds. An odd sound gives way before two people become one. */
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

/** Whatever contains two people is itself more than one. */
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

const isOnePerson = ({ likeness, cohesion, fewest }: Merge) =>
  likeness >= sameVoice ||
  (fewest < manyWindows ? likeness >= sameFew : cohesion !== undefined && likeness >= sameShare * cohesion)

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

/** Without the smallest groups, as long as there are enough; whose windows they were is decided with all others. */
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
