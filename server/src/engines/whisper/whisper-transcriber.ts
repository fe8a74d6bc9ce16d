// Speech to text with whisper for live calls: nearly a hundred languages, or whichever the caller speaks.
import type { TranscriberOptions, TranscriptEvent } from '../../ports/transcriber.ts'
import type { EngineIdle } from '../engine/engine-pool.ts'
import { languageCode } from '../language-code.ts'
import type { ModelCache } from '../models/fetch-model.ts'
import type { Recognizer, Segment } from '../utterances/recognition-attempt.ts'
import { openSegments, type SegmentTranscriber } from '../utterances/segment-transcriber.ts'
import { whisperLanguages } from './languages.ts'
import { type WhisperSize, whisperPool } from './whisper.ts'
import type { WhisperQuestion } from './whisper-worker.ts'

export interface WhisperTranscriberOptions extends ModelCache, EngineIdle {
  readonly size: WhisperSize
  readonly threads?: number | undefined
  /** The languages among which `auto` chooses. */
  readonly languages: readonly string[]
}

// A final waits for each one before it about 0.2 of that one's length: beyond this many it is too late to be useful.
const queueLength = 16
// In less than a second of speech the language is a guess.
const tellingSamples = 16_000

export function whisperTranscriber(options: WhisperTranscriberOptions): SegmentTranscriber {
  const { size, threads, languages, idleMs, ...cache } = options
  const pool = whisperPool(size, cache, { threads, idleMs, queueLength })
  const ask = async (...asked: Parameters<typeof pool.ask>) => {
    const answer = await pool.ask(...asked)
    if (answer.got !== 'text') throw new Error('the recognizer answered another question')
    return answer
  }

  const inOneLanguage = (language: string): Recognizer => ({
    async recognise(segment, asked) {
      const { text } = await ask(() => ({ want: 'text', samples: segment(), language }), asked)
      return { text }
    },
  })

  /** Recognises any language: the first sentence decides; a later one in another language changes it. */
  function inAnyLanguage(emit: (event: TranscriptEvent) => void): Recognizer {
    let current: string | undefined
    return {
      async recognise(segment, asked) {
        let length = 0
        const question = (): WhisperQuestion => {
          const samples: Segment = segment()
          length = samples.length
          return { want: 'text', samples, among: languages, expected: current }
        }
        const { text, language } = await ask(question, asked)
        if (text !== '' && language !== current && length >= tellingSamples) {
          current = language
          emit({ type: 'language', language })
        }
        return { text }
      },
    }
  }

  return {
    abilities: { keyterms: false, languages: whisperLanguages },

    load: () => pool.load(),

    open(options: TranscriberOptions, signal) {
      const language = languageCode(options.language, whisperLanguages)
      // An engine that was released while the telephone rang is loaded during the greeting. An error surfaces with the first words.
      pool.load().catch(() => {})
      const isKnown = language !== undefined && whisperLanguages.includes(language)
      return openSegments(isKnown ? () => inOneLanguage(language) : inAnyLanguage, options, signal)
    },

    close: () => pool.close(),
  }
}
