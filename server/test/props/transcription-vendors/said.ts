// The utterances in every vendor test, and a scripted vendor: how it returns them in its own format.
import type { TranscriptionServer, TranscriptionVendor } from '../../../src/vendors/over/recordings/vendor.ts'
import type { Script } from './fixture.ts'

export interface ScriptedVendor {
  readonly name: string
  open(server: TranscriptionServer): TranscriptionVendor
  /** The header that carries the API key. */
  readonly key: readonly [header: string, value: string]
  readonly reports: {
    readonly speakers: boolean
    readonly words: boolean
    /** Whether it cuts what it hears into sentences. Left out: it does. */
    readonly sentences?: boolean
    /** Takes a least and a greatest number of speakers. */
    readonly counts?: boolean
  }
  /** Of the first sentence and of the language; null if the vendor does not report it. */
  readonly confidence: { readonly sentence: number | null; readonly language: number | null }
  readonly spoken: Script
  readonly silent: Script
}

export const all = { speakers: true, words: true }
/** Speaker 0 says 'Hello there.', speaker 1 'Good bye.' */
export const said = [
  { text: 'Hello', start: 0, end: 0.4, speaker: 0, confidence: 0.9 },
  { text: 'there.', start: 0.5, end: 1, speaker: 0, confidence: 0.8 },
  { text: 'Good', start: 1.2, end: 1.5, speaker: 1, confidence: 0.7 },
  { text: 'bye.', start: 1.6, end: 2, speaker: 1, confidence: 0.9 },
] as const
export const sentences = [said.slice(0, 2), said.slice(2)].map((words) => ({
  text: words.map(({ text }) => text).join(' '),
  start: words[0]?.start ?? 0,
  end: words.at(-1)?.end ?? 0,
  speaker: words[0]?.speaker ?? 0,
  words,
}))
export const inMs = (seconds: number) => Math.round(seconds * 1000)
