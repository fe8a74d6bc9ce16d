// Cuts a recording into pieces that suit a recognizer: at silences, not inside words. Pure, window by window.
import { SpeechEdges, sileroWindowMs } from '../silero/silero-windows.ts'

export interface Stretch {
  readonly fromMs: number
  readonly toMs: number
}

export interface RecordingPiece extends Stretch {
  /** The stretches with speech in it. */
  readonly voiced: readonly Stretch[]
}

export interface PieceRules {
  readonly longestMs: number
  /** A silence of this length always ends the piece. */
  readonly silenceMs: number
}

// Recognizers need a margin of silence on both sides of the speech.
const marginMs = 200
// No cut in the first part of a piece: the rest would be too short to recognise.
const earliestCut = 0.4

export class PieceCutter {
  readonly #rules: PieceRules
  readonly #edges = new SpeechEdges()
  /** The current piece: its speech so far. */
  #voiced: Stretch[] = []
  #speakingFromMs: number | undefined
  /** The level of each window; the last one ends at `#heardMs`. */
  #levelsDb: number[] = []
  #heardMs = 0
  /** The end of the last piece. */
  #doneMs = 0

  constructor(rules: PieceRules) {
    this.#rules = rules
  }

  hear(probabilities: Float32Array, levelsDb: Float32Array): RecordingPiece[] {
    const pieces: RecordingPiece[] = []
    probabilities.forEach((probability, place) => {
      this.#heardMs += sileroWindowMs
      this.#levelsDb.push(levelsDb[place] ?? 0)
      this.#takeEdge(probability)
      pieces.push(...this.#settle())
    })
    return pieces
  }

  finish(): RecordingPiece[] {
    if (this.#speakingFromMs !== undefined) this.#stopSpeaking(this.#heardMs)
    return this.#voiced.length > 0 ? [this.#emit(this.#voiced.length)] : []
  }

  #takeEdge(probability: number): void {
    const edge = this.#edges.hear(probability, this.#heardMs)
    if (edge?.type === 'speech-start') this.#speakingFromMs = Math.max(edge.atMs, this.#doneMs)
    if (edge?.type === 'speech-end') this.#stopSpeaking(edge.atMs)
  }

  #stopSpeaking(atMs: number): void {
    const fromMs = this.#speakingFromMs ?? atMs
    this.#speakingFromMs = undefined
    if (atMs > fromMs) this.#voiced.push({ fromMs, toMs: atMs })
  }

  #settle(): RecordingPiece[] {
    const last = this.#voiced.at(-1)
    const fromMs = this.#voiced[0]?.fromMs ?? this.#speakingFromMs
    if (fromMs === undefined) {
      this.#levelsDb = []
      return []
    }
    const silent = this.#speakingFromMs === undefined && last !== undefined
    if (silent && this.#heardMs - last.toMs >= this.#rules.silenceMs) return [this.#emit(this.#voiced.length)]
    if (this.#heardMs - fromMs <= this.#rules.longestMs) return []
    return [this.#cutAtPause(fromMs) ?? this.#cutSpeech(fromMs)]
  }

  /** Cuts at the longest pause that is late enough. */
  #cutAtPause(fromMs: number): RecordingPiece | undefined {
    const earliestMs = fromMs + earliestCut * this.#rules.longestMs
    const pauses = this.#voiced.map(({ toMs }, place) => ({
      count: place + 1,
      atMs: toMs,
      lengthMs: (this.#voiced[place + 1]?.fromMs ?? this.#speakingFromMs ?? this.#heardMs) - toMs,
    }))
    const late = pauses.filter(({ atMs }) => atMs >= earliestMs)
    const longest = late.toSorted((a, b) => b.lengthMs - a.lengthMs)[0]
    return longest && this.#emit(longest.count)
  }

  /** Cuts speech without a pause at its quietest moment, most likely between two words. */
  #cutSpeech(fromMs: number): RecordingPiece {
    const atMs = this.#quietestMs(fromMs + earliestCut * this.#rules.longestMs)
    const goesOn = this.#speakingFromMs
    const inSpeech = goesOn !== undefined && goesOn < atMs
    if (inSpeech) this.#voiced.push({ fromMs: goesOn, toMs: atMs })
    const before = this.#voiced.filter((stretch) => stretch.toMs <= atMs)
    const piece = this.#emit(before.length, atMs)
    if (inSpeech) this.#speakingFromMs = atMs
    return piece
  }

  #quietestMs(notBeforeMs: number): number {
    const endMs = (place: number) => this.#heardMs - (this.#levelsDb.length - 1 - place) * sileroWindowMs
    // Averaged with its neighbours: a single quiet window may be a stop inside a word.
    const around = (place: number) =>
      [place - 1, place, place + 1].reduce((sum, at) => sum + (this.#levelsDb[at] ?? 0), 0)
    let best: number | undefined
    for (let place = 1; place < this.#levelsDb.length - 1; place++)
      if (endMs(place) >= notBeforeMs && (best === undefined || around(place) < around(best))) best = place
    return best === undefined ? this.#heardMs : endMs(best) - sileroWindowMs / 2
  }

  /** Emits the first `count` stretches, plus half of the silence after them up to the margin. */
  #emit(count: number, cutMs?: number): RecordingPiece {
    const voiced = this.#voiced.slice(0, count)
    this.#voiced = this.#voiced.slice(count)
    const [first, last] = [voiced[0]?.fromMs ?? this.#doneMs, voiced.at(-1)?.toMs ?? this.#heardMs]
    const nextMs = this.#voiced[0]?.fromMs ?? this.#speakingFromMs ?? Number.POSITIVE_INFINITY
    const fromMs = Math.max(this.#doneMs, first - marginMs)
    const toMs = cutMs ?? Math.min(last + marginMs, (last + nextMs) / 2)
    this.#doneMs = toMs
    const openWindows = Math.max(0, Math.ceil((this.#heardMs - toMs) / sileroWindowMs))
    this.#levelsDb = this.#levelsDb.slice(this.#levelsDb.length - openWindows)
    return { fromMs, toMs, voiced }
  }
}
