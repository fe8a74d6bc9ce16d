// Text to speech by wren: English, natural, light enough for many calls on one core. The default voice.
import { type Frame, frameMs } from '../../media/frame.ts'
import { EnginePool } from '../engine/engine-pool.ts'
import { fetchModel } from '../models/fetch-model.ts'
import { pronunciation } from '../models/kokoro.ts'
import { framesOf } from '../voice/sound.ts'
import { type OfflineSynthesizer, type OfflineVoiceOptions, speak } from '../voice/speak.ts'
import { ListenerBuffer, SharedThread } from './shared-thread.ts'
import { wrenVoice } from './voices.ts'
import type { PieceQuestion, WrenLoad, WrenPiece, WrenSentence } from './wren-worker.ts'

const name = 'the speech synthesizer'
// About 12 seconds of speech. The networks were trained on shorter sentences and still speak one of this length well.
const longestChars = 200
// A thread that is already loaded has room for so many sentences before another one is worth its memory.
const roomyThread = 8
// The owner of the thread asks for one piece after the other.
const queueLength = 2

export function wrenSynthesizer({ threads = 1, idleMs, ...cache }: OfflineVoiceOptions): OfflineSynthesizer {
  const shared = Array.from({ length: threads }, () => {
    const pool = new EnginePool<WrenLoad, PieceQuestion, WrenPiece>({
      name,
      file: new URL('./wren-worker.ts', import.meta.url),
      prepare: (signal) => fetchModel(pronunciation, { ...cache, signal }),
      moved: ({ into }) => [into.buffer],
      idleMs,
      queueLength,
    })
    return new SharedThread(name, pool)
  })
  let sentences = 0

  const roomiest = (): SharedThread | undefined =>
    shared.find((thread) => thread.sentences < roomyThread) ??
    shared.toSorted((one, other) => one.sentences - other.sentences)[0]

  async function* pieces(
    sentence: WrenSentence,
    playback: ListenerBuffer,
    signal: AbortSignal,
  ): AsyncGenerator<readonly Frame[]> {
    const thread = roomiest()
    if (!thread) return
    const id = ++sentences
    let framesGiven = 0
    try {
      for (let isLast = false; !isLast; ) {
        const request = { id, sentence, framesGiven, playback, signal }
        const piece = await thread.next(request, (piece) => ({
          frames: framesOf(piece.into.subarray(piece.from, piece.to), sentence.rateHz),
          isLast: piece.isLast,
        }))
        isLast = piece.isLast
        framesGiven += piece.frames.length
        playback.add(piece.frames.length * frameMs, performance.now())
        yield piece.frames
      }
    } finally {
      thread.leave(id)
    }
  }

  return {
    synthesize(text, { voice, rateHz }, signal) {
      const playback = new ListenerBuffer()
      return speak(text, {
        rateHz,
        signal,
        longestChars,
        make: (sentence, until) =>
          pieces({ text: sentence, voice: wrenVoice(voice), rateHz }, playback, until),
      })
    },
    get isLoading() {
      return shared[0]?.isLoading ?? false
    },
    async load() {
      await shared[0]?.load()
    },
    async close() {
      await Promise.all(shared.map((thread) => thread.close()))
    },
  }
}
