// Stand-ins for the offline engines that hear and speak what loopback vendors do: levels that are words.
import { type Frame, makeFrame } from '../../../src/media/frame.ts'
import type { TextSynthesizer } from '../../../src/ports/synthesizer.ts'
import type { Transcriber, TranscriberOptions, TranscriptEvent } from '../../../src/ports/transcriber.ts'
import { EventQueue } from '../../../src/vendors/over/wire/event-queue.ts'
import { sampleOf, wordsOf } from './spoken-words.ts'
import { WordEars } from './word-ears.ts'

export const offlineEars = {
  abilities: { ownEndpointing: true, eagerFinals: false, keyterms: false, languages: 'any' },
  close: () => Promise.resolve(),
  open({ rateHz, endpointingMs }: TranscriberOptions, signal: AbortSignal) {
    const events = new EventQueue<TranscriptEvent>()
    const ears = new WordEars({ rateHz, encoding: 'linear16', endpointingMs }, (event) => events.push(event))
    signal.addEventListener('abort', () => events.clear(), { once: true })
    return {
      write: ({ samples }: Frame) =>
        ears.hear(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)),
      hear() {},
      finalize: () => ears.finalize(),
      finish: () => events.end(),
      [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
    }
  },
} satisfies Transcriber

const framesPerWord = 10

export const offlineVoice: TextSynthesizer = {
  async *synthesize(text, { rateHz }, signal): AsyncGenerator<Frame> {
    for (const word of wordsOf(text))
      for (let n = 0; n < framesPerWord && !signal.aborted; n++) {
        const frame = makeFrame(rateHz)
        frame.samples.fill(sampleOf(word))
        yield frame
      }
  },
}
