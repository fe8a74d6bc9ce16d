// The caller's current turn: voice, final words, words that may still change.
import type { TurnRules } from '../../ports/call-plan.ts'
import type { EndOfTurn } from '../../ports/transcriber.ts'
import type { CallerSpeech } from './turn-state.ts'
import { sameWords, wordsOf } from './word-list.ts'

export const nothingHeard: CallerSpeech = {
  voice: { is: 'quiet', sinceMs: 0 },
  startMs: null,
  wordless: null,
  finals: '',
  partial: '',
  wordsMs: 0,
  wordsDue: false,
  finalAsked: false,
  end: 'open',
  isTyped: false,
  keys: { pressed: '', atMs: 0, areComplete: false },
  owed: null,
}

const join = (one: string, other: string): string => (one && other ? `${one} ${other}` : one || other)

/** Keys count as words: "pressed 12". */
const wordsOfKeys = ({ keys: { pressed } }: CallerSpeech): string => pressed && `pressed ${pressed}`

export const wordsOfCaller = (caller: CallerSpeech): string =>
  join(join(caller.finals, caller.partial), wordsOfKeys(caller))

// A wordless sound this long before the words is not the beginning of the sentence.
const sameBreathMs = 1_500

export function voiceStart(caller: CallerSpeech, atMs: number, sure: boolean): CallerSpeech {
  const goesOn = wordsOfCaller(caller) !== '' || atMs - caller.voice.sinceMs < sameBreathMs
  return {
    ...caller,
    voice: { is: 'speaking', sinceMs: atMs, sure },
    startMs: goesOn ? (caller.startMs ?? atMs) : atMs,
    wordsDue: true,
    finalAsked: false,
    end: caller.end === 'likely' ? 'open' : caller.end,
  }
}

export const voiceEnd = (caller: CallerSpeech, atMs: number): CallerSpeech => ({
  ...caller,
  voice: { is: 'quiet', sinceMs: atMs },
})

export function partialWords(caller: CallerSpeech, text: string, nowMs: number): CallerSpeech {
  if (isOwed(caller, text, nowMs) || sameWords(text, caller.partial)) return caller
  return { ...caller, partial: text.trim(), wordsMs: nowMs, end: 'open' }
}

/** The whole text of the last turn, if this is the final that the turn did not wait for. */
export const lateFinal = (caller: CallerSpeech, text: string, nowMs: number): string | undefined =>
  caller.owed && isOwed(caller, text, nowMs)
    ? join(join(caller.owed.before, text.trim()), caller.owed.after)
    : undefined

export function finalWords(caller: CallerSpeech, text: string, nowMs: number): CallerSpeech {
  const known = sameWords(text, caller.partial)
  return {
    ...caller,
    finals: join(caller.finals, text.trim()),
    partial: '',
    wordsMs: known ? caller.wordsMs : nowMs,
    wordsDue: false,
    end: known ? caller.end : 'open',
  }
}

// Every turn detection listens to a pause before it is certain. A voice that began within this time came after that pause.
const judgedPauseMs = 400

/** Notes what the turn detection says. What we ended ourselves, by asking for the final, it has not judged. */
export function endTold(caller: CallerSpeech, is: EndOfTurn['is'], nowMs: number): CallerSpeech {
  const { voice, finalAsked } = caller
  if (is === 'withdrawn' || finalAsked) return { ...caller, end: 'open' }
  const goesOn = voice.is === 'speaking' && nowMs - voice.sinceMs < judgedPauseMs
  if (is === 'likely') return { ...caller, end: goesOn ? 'open' : is }
  return { ...caller, end: is, wordsDue: goesOn }
}

/** Replaces what is still uncertain: typed words are complete as they are. */
export const typedWords = (caller: CallerSpeech, text: string, nowMs: number): CallerSpeech => ({
  ...caller,
  finals: join(caller.finals, text.trim()),
  partial: '',
  wordsMs: nowMs,
  wordsDue: false,
  isTyped: true,
})

/** Adds a key. The end key completes the keys before it, and is not one of them. */
export function keyPressed(
  caller: CallerSpeech,
  key: string,
  nowMs: number,
  { keys: rules }: TurnRules,
): CallerSpeech {
  const isEnd = key === rules.endKey && caller.keys.pressed !== ''
  const pressed = isEnd ? caller.keys.pressed : caller.keys.pressed + key
  const areComplete = isEnd || pressed.length >= rules.most
  return { ...caller, keys: { pressed, atMs: nowMs, areComplete }, wordsMs: nowMs }
}

// The slowest transcriber has sent its final within this time; the same words after that have been spoken again.
const owedForMs = 3_000

/** Clears the words when the turn is taken; the voice stays as it is. */
export const answered = (caller: CallerSpeech, nowMs: number): CallerSpeech => ({
  ...nothingHeard,
  voice: caller.voice,
  startMs: caller.voice.is === 'speaking' ? caller.voice.sinceMs : null,
  wordsDue: caller.voice.is === 'speaking',
  owed: caller.partial
    ? {
        before: caller.finals,
        words: caller.partial,
        after: wordsOfKeys(caller),
        untilMs: nowMs + owedForMs,
      }
    : null,
})

// A busy machine or a slow transcriber is no later than this; after it, words without a voice were too quiet to be detected.
const latestWordsMs = 15_000

/** The voice that words belong to which came after it had been taken for a noise. */
const voiceOfLateWords = ({ startMs, wordless, wordsMs }: CallerSpeech): CallerSpeech['wordless'] =>
  startMs === null && wordless && wordsMs - wordless.endMs < latestWordsMs ? wordless : null

/** When the caller was last heard: by voice, or by words where the voice was too quiet to be detected. */
export function lastHeardMs(caller: CallerSpeech): number {
  if (caller.startMs !== null) return caller.voice.sinceMs
  // Words that may still change are waited for, although the voice ended long ago.
  const isFinal = caller.partial === '' && caller.finals !== ''
  return (isFinal ? voiceOfLateWords(caller)?.endMs : undefined) ?? caller.wordsMs
}

/** From where to where the caller spoke, however late the words came. */
export function spokenSpan(caller: CallerSpeech): { readonly startMs: number; readonly endMs: number } {
  const late = voiceOfLateWords(caller)
  if (late) return late
  const endMs = lastHeardMs(caller)
  return { startMs: caller.startMs ?? endMs, endMs }
}

// A partial and its final have at least this share of words in common.
const alike = 0.5

function isOwed({ owed }: CallerSpeech, text: string, nowMs: number): boolean {
  if (!owed || nowMs > owed.untilMs) return false
  const expected = wordsOf(owed.words)
  const come = new Set(wordsOf(text))
  return expected.filter((word) => come.has(word)).length >= expected.length * alike
}
