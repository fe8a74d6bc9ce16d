// The offline recognizer alone: audio pieces in memory in, text out, nothing around it.
import { EnginePool, lowestNiceness } from '../server/src/engines/engine/engine-pool.ts'
import { floats } from '../server/src/engines/features/floats.ts'
import { moonshine } from '../server/src/engines/models/catalogue.ts'
import { fetchModel } from '../server/src/engines/models/fetch-model.ts'
import type { MoonshinePaths } from '../server/src/engines/moonshine/moonshine-model.ts'
import type { MoonshineAnswer, MoonshineQuestion } from '../server/src/engines/moonshine/moonshine-worker.ts'
import { sileroTracker } from '../server/src/engines/silero/voice-track.ts'
import { filePieces } from '../server/src/engines/transcription/file-pieces.ts'
import { mapInOrder } from '../server/src/engines/transcription/map-in-order.ts'
import { moonshineRules } from '../server/src/engines/transcription/recogniser.ts'

export function bareRecogniser(folder: string, threads: number) {
  // The engine used for calls, but at the low priority used for recordings, so that other load affects both sides
  // equally.
  const pool = new EnginePool<MoonshinePaths, MoonshineQuestion, MoonshineAnswer>({
    name: 'the bare engine',
    file: new URL('../server/src/engines/moonshine/moonshine-worker.ts', import.meta.url),
    prepare: () => fetchModel(moonshine, { folder }),
    threads,
    queueLength: Number.POSITIVE_INFINITY,
    niceness: lowestNiceness,
  })
  return {
    /** Cuts the same pieces as the service. */
    cut: (sound: Int16Array) => cut(sound, folder),
    async recognise(pieces: readonly Int16Array[]) {
      const work = (piece: Int16Array) => pool.ask(() => ({ samples: floats(piece), isTimed: false }))
      for await (const _ of mapInOrder(oneByOne(pieces), work, { ahead: threads + 2 }));
    },
    close: () => pool.close(),
  }
}

async function* oneByOne<T>(things: readonly T[]): AsyncGenerator<T> {
  yield* things
}

async function cut(sound: Int16Array, folder: string): Promise<Int16Array[]> {
  const tracker = sileroTracker({ folder })
  const file = {
    durationMs: sound.length / 16,
    read: async (fromMs: number, toMs: number) =>
      Int16Array.from(sound.subarray(Math.round(fromMs * 16), Math.round(toMs * 16))),
    async close() {},
  }
  const { signal } = new AbortController()
  const pieces: Int16Array[] = []
  for await (const { fromMs, toMs } of filePieces(file, { tracker, rules: moonshineRules, signal }))
    pieces.push(await file.read(fromMs, toMs))
  await tracker.close()
  return pieces
}
