// A recording on disk, read block by block.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { VoiceTracker } from '../silero/voice-track.ts'
import { filePieces } from './file-pieces.ts'
import { openPcmFile, type PcmFile } from './pcm-file.ts'
import type { RecordingPiece } from './piece-cutter.ts'

const windowSamples = 512

/** Takes anything loud for speech. */
function loudness(): VoiceTracker & { readonly blocks: number[] } {
  const blocks: number[] = []
  return {
    blocks,
    open: () => ({
      async hear(samples) {
        blocks.push(samples.length)
        const levels = Array.from({ length: samples.length / windowSamples }, (_, window) =>
          Math.abs(samples[window * windowSamples] ?? 0),
        )
        return {
          probabilities: Float32Array.from(levels, (level) => (level > 1_000 ? 1 : 0)),
          levelsDb: Float32Array.from(levels, (level) => (level > 1_000 ? -10 : -80)),
          memory: { context: new Float32Array(), state: new Float32Array(), loudDb: 0 },
        }
      },
    }),
    async close() {},
  }
}

async function recording(samples: Int16Array, spareBytes = 0): Promise<PcmFile> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-pcm-'))
  const path = join(folder, 'sound.pcm')
  await writeFile(path, Buffer.concat([new Uint8Array(samples.buffer), new Uint8Array(spareBytes)]))
  const file = await openPcmFile(path)
  onTestFinished(async () => {
    await file.close()
    await rm(folder, { recursive: true })
  })
  return file
}

const loud = (samples: Int16Array, fromMs: number, toMs: number) =>
  samples.fill(5_000, fromMs * 16, toMs * 16)

it('reads any range, clamped to the file', async () => {
  const file = await recording(Int16Array.from({ length: 16_000 }, (_, i) => i))
  expect(file.durationMs).toBe(1_000)
  expect([...(await file.read(500, 501))]).toEqual(Array.from({ length: 16 }, (_, i) => 8_000 + i))
  expect(await file.read(990, 5_000)).toHaveLength(160)
  expect(await file.read(-50, 10)).toHaveLength(160)
  expect(await file.read(2_000, 3_000)).toHaveLength(0)
})

it('ignores half a sample at the end', async () => {
  expect((await recording(new Int16Array(16), 1)).durationMs).toBe(1)
})

it('cuts pieces from blocks of whole windows, at their times in the recording', async () => {
  const samples = new Int16Array(40_000 * 16 + 100)
  loud(samples, 10_000, 12_000)
  loud(samples, 15_500, 17_000)
  loud(samples, 38_000, 40_000)
  const tracker = loudness()
  const heardMs: number[] = []
  const pieces: RecordingPiece[] = []
  const cutting = {
    tracker,
    rules: { longestMs: 10_000, silenceMs: 700 },
    signal: new AbortController().signal,
    onHeard: (ms: number) => void heardMs.push(ms),
  }
  const file = await recording(samples)
  for await (const piece of filePieces(file, cutting)) pieces.push(piece)
  expect(pieces.map(({ voiced }) => voiced.map(({ fromMs }) => Math.round(fromMs / 100) * 100))).toEqual([
    [10_000],
    [15_500],
    [38_000],
  ])
  expect(tracker.blocks.every((length) => length % windowSamples === 0)).toBe(true)
  expect(heardMs.at(-1)).toBe(file.durationMs)
})
