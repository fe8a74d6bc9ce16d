// Recordings on a real disk: both channels aligned, also after a crash.
import { copyFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeFrame, type RateHz, rates } from '../../../media/frame.ts'
import { parseWav } from '../../../media/wav-parse.ts'
import { openRecording, recordingPath, repairRecording } from './recording-file.ts'

const sessionId = '0198b1f2-7c1e-7b5a-9c11-3f5e0d7a2b60'
let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-recording-'))
  path = recordingPath(folder, sessionId)
})
afterEach(() => rm(folder, { recursive: true }))

/** Samples: the caller counts up, the agent down. */
function write(sink: ReturnType<typeof openRecording>, frames: number, rateHz: RateHz = 8_000): void {
  const [caller, agent] = [makeFrame(rateHz), makeFrame(rateHz)]
  for (let nth = 1; nth <= frames; nth++) {
    caller.samples.fill(nth % 30_000)
    agent.samples.fill(-nth % 30_000)
    sink.write(caller, agent)
  }
}

const read = async () => {
  const { rateHz, channels } = parseWav(await readFile(path))
  const perFrame = rateHz / 50
  const firsts = channels.map((samples) =>
    Array.from({ length: samples.length / perFrame }, (_, n) => samples[n * perFrame]),
  )
  return { rateHz, caller: firsts[0] ?? [], agent: firsts[1] ?? [] }
}

describe('a recording', () => {
  it.each(rates)('at %i Hz has the caller left and the agent right, frame by frame', async (rateHz) => {
    const sink = openRecording(folder, sessionId)
    write(sink, 200, rateHz)
    await sink.close()
    const { caller, agent, rateHz: told } = await read()
    expect(told).toBe(rateHz)
    expect(caller).toEqual(Array.from({ length: 200 }, (_, nth) => nth + 1))
    expect(agent).toEqual(caller.map((sample = 0) => -sample))
  })

  it('has its length in the header, for readers that rely on it', async () => {
    const sink = openRecording(folder, sessionId)
    write(sink, 10)
    await sink.close()
    const bytes = await readFile(path)
    expect(bytes.length).toBe(44 + 10 * 640)
    expect(bytes.readUInt32LE(40)).toBe(10 * 640)
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8)
  })

  it('continues the file of a writer that died, with silence for what was missed', async () => {
    const first = openRecording(folder, sessionId)
    // More than a chunk of 8,000 steps, so that some of it is on disk.
    write(first, 100)
    const part = `${path}.part`
    await expect
      .poll(() =>
        stat(part).then(
          ({ size }) => size,
          () => 0,
        ),
      )
      .toBeGreaterThan(44)
    // It died within a step.
    await truncate(part, 44 + 40 * 640 + 3)
    const second = openRecording(folder, sessionId, 1_000)
    write(second, 5)
    await second.close()
    const { caller } = await read()
    const counted = (frames: number) => Array.from({ length: frames }, (_, nth) => nth + 1)
    expect(caller).toEqual([...counted(40), ...Array(10).fill(0), ...counted(5)])
  })

  it('whose first part is on another machine begins with silence', async () => {
    const sink = openRecording(folder, sessionId, 200)
    write(sink, 3)
    await sink.close()
    expect((await read()).caller).toEqual([...Array(10).fill(0), 1, 2, 3])
  })

  it('without audio creates no file', async () => {
    await openRecording(folder, sessionId).close()
    await expect(readFile(path)).rejects.toThrow('ENOENT')
  })

  it('keeps its length when the disk is too slow: what did not fit becomes silence, and this is reported', async () => {
    const sink = openRecording(folder, sessionId)
    // Nothing is written before this turn of the event loop ends, so only half of the minute fits.
    write(sink, 3_000)
    await expect(sink.close()).rejects.toThrow(
      /^\d+\.\d s of the recording are silent: the disk was too slow\.$/,
    )
    const { caller } = await read()
    expect(caller).toHaveLength(3_000)
    const silent = caller.filter((sample) => sample === 0).length
    expect(silent).toBeGreaterThan(1_000)
    expect(silent).toBeLessThan(2_000)
    expect(caller.slice(0, 1_000)).toEqual(Array.from({ length: 1_000 }, (_, nth) => nth + 1))
  })

  it('that cannot be written fails with one sentence, and nothing else fails', async () => {
    await writeFile(join(folder, 'file'), '')
    const sink = openRecording(join(folder, 'file', 'below'), sessionId)
    write(sink, 5_000)
    await expect(sink.close()).rejects.toThrow('The recording could not be written.')
  })
})

describe('the recording of a crashed process', () => {
  /** What is on disk while the call is running. */
  const cut = async (bytes?: number) => {
    const sink = openRecording(folder, sessionId)
    write(sink, 1_000)
    await sink.close()
    await copyFile(path, `${path}.part`)
    await rm(path)
    const header = Buffer.from(await readFile(`${path}.part`))
    header.writeUInt32LE(0xffff_ffff, 40)
    await writeFile(`${path}.part`, header)
    if (bytes !== undefined) await truncate(`${path}.part`, bytes)
  }

  it('is repaired and playable as far as it was written', async () => {
    await cut(44 + 100 * 640 + 3)
    expect(await repairRecording(path)).toBe(true)
    const { caller } = await read()
    expect(caller.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, nth) => nth + 1))
    expect((await readFile(path)).readUInt32LE(40)).toBe(100 * 640)
  })

  it('is removed if it has no audio, and kept if it is complete', async () => {
    expect(await repairRecording(path)).toBe(false)
    await cut(20)
    expect(await repairRecording(path)).toBe(false)
    expect(await readdir(folder)).toEqual([])
    await cut()
    expect([await repairRecording(path), await repairRecording(path)]).toEqual([true, true])
  })
})
