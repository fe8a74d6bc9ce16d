// Decoding audio files: format detection by content, the decoded audio, and the behaviour without ffmpeg.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { wavHeader } from '../../media/wav.ts'
import { runConfined } from './confined.ts'
import { openDecoder } from './decoder.ts'
import { sniff } from './sniff.ts'

const folder = await mkdtemp(join(tmpdir(), 'parley-decoder-'))
afterAll(() => rm(folder, { recursive: true }))
const signal = AbortSignal.timeout(30_000)

/** 440 Hz, with headroom like speech. */
async function tone(name: string, seconds: number, rateHz: number, channels: 1 | 2 = 1): Promise<string> {
  const samples = Int16Array.from(
    { length: Math.round(seconds * rateHz) * channels },
    (_, at) => 8_000 * Math.sin((2 * Math.PI * 440 * Math.floor(at / channels)) / rateHz),
  )
  const path = join(folder, name)
  await writeFile(
    path,
    Buffer.concat([wavHeader({ rateHz, channels }, samples.byteLength), Buffer.from(samples.buffer)]),
  )
  return path
}

/** Level at that frequency, relative to full scale. */
async function levelAt(pcmFile: string, hz: number): Promise<number> {
  const bytes = await readFile(pcmFile)
  let [re, im] = [0, 0]
  const count = bytes.length / 2
  for (let n = 0; n < count; n++) {
    const sample = bytes.readInt16LE(2 * n) / 32_768
    re += sample * Math.cos((2 * Math.PI * hz * n) / 16_000)
    im += sample * Math.sin((2 * Math.PI * hz * n) / 16_000)
  }
  return (2 * Math.hypot(re, im)) / count
}

describe.each([
  ['with ffmpeg', undefined],
  ['without ffmpeg', folder],
])('%s', (_name, programs) => {
  const decoder = openDecoder({ folder: programs, maxSeconds: 3_600 })

  it.each([
    [8_000, 1],
    [16_000, 1],
    [24_000, 2],
    [48_000, 2],
  ] as const)('WAV at %i Hz with %i channels comes out whole and at its pitch', async (rateHz, channels) => {
    const file = await tone('tone.wav', 1.5, rateHz, channels)
    const pcmFile = join(folder, 'tone.pcm')
    expect(await decoder.inspect(file, signal)).toEqual({
      ok: true,
      mediaType: 'audio/wav',
      durationSeconds: 1.5,
    })
    expect(await decoder.decode(file, pcmFile, signal)).toMatchObject({ ok: true, durationSeconds: 1.5 })
    expect(await levelAt(pcmFile, 440)).toBeCloseTo(8_000 / 32_768, 1)
    expect(await levelAt(pcmFile, 880)).toBeLessThan(0.01)
  })

  it('a truncated WAV is refused with how much is missing', async () => {
    const file = await tone('half.wav', 10, 16_000)
    await writeFile(file, (await readFile(file)).subarray(0, 160_044))
    expect(await decoder.inspect(file, signal)).toEqual({
      ok: false,
      reason: 'The file is cut off: it says 10.0 seconds and holds 5.0.',
    })
  })
})

it('without ffmpeg other formats are refused, and the message says what to install', async () => {
  const file = join(folder, 'a.flac')
  await writeFile(file, 'fLaC and so on')
  const facts = await openDecoder({ folder, maxSeconds: 3_600 }).inspect(file, signal)
  expect(facts).toEqual({ ok: false, reason: expect.stringContaining('install the package ffmpeg') })
})

describe('the format of a file', () => {
  const kind = (...bytes: (string | readonly number[])[]) => {
    const found = sniff(Buffer.concat(bytes.map((part) => Buffer.from(part as string, 'latin1'))))
    return found.ok ? found.demuxer : found.reason
  }

  it('is detected from its first bytes', () => {
    expect(kind('RIFF', [0, 0, 0, 0], 'WAVEfmt ')).toBe('wav')
    expect(kind([0, 0, 0, 24], 'ftypisom')).toBe('mov')
    expect(kind([0xff, 0xfb, 0x90, 0x00])).toBe('mp3')
    expect(kind([0xff, 0xf1, 0x50, 0x80, 0, 0, 0])).toBe('aac')
  })

  it('is detected behind an ID3 tag of any length', () => {
    const tag = (size: number) => ['ID3', [4, 0, 0, 0, 0, size >> 7, size & 0x7f], 'x'.repeat(size)] as const
    expect(kind(...tag(200), 'fLaC')).toBe('flac')
    expect(kind(...tag(200), [0xff, 0xf1, 0x50, 0x80, 0, 0, 0])).toBe('aac')
    expect(kind('ID3', [4, 0, 0, 0x7f, 0x7f, 0x7f, 0x7f])).toBe('mp3')
  })

  it('is never a playlist', () => {
    for (const text of [
      '#EXTM3U\n',
      '\n\n  #EXTM3U\n',
      '\xef\xbb\xbf#EXTM3U',
      'ffconcat version 1.0',
      '[playlist]',
    ])
      expect(kind(text)).toContain('playlist')
  })
})

describe('a confined process', () => {
  const nothing = { wallSeconds: 10, cpuSeconds: 10 }

  it('gets no environment variables', async () => {
    const said: Buffer[] = []
    await runConfined('/usr/bin/env', [], nothing, (chunk) => said.push(chunk) > 0, signal)
    expect(said.join('')).toBe('')
  })

  it('is ended by its time limit, by its output limit and by an abort', async () => {
    const forever = ['-c', 'while :; do :; done']
    const busy = (caps: object, stop = signal) =>
      runConfined('/bin/sh', forever, { ...nothing, ...caps }, () => true, stop)
    expect(await busy({ wallSeconds: 0.2 })).toEqual({ of: 'timeout' })
    expect(await busy({ cpuSeconds: 1 })).toMatchObject({ of: 'exit', code: null })
    await expect(busy({}, AbortSignal.timeout(50))).rejects.toThrow(/timeout/)
    expect(await runConfined('/usr/bin/yes', [], nothing, () => false, signal)).toEqual({ of: 'enough' })
  })

  it('cannot write files', async () => {
    const path = join(folder, 'forbidden')
    const ending = await runConfined('/bin/sh', ['-c', `echo x > ${path}`], nothing, () => true, signal)
    expect(ending).not.toMatchObject({ code: 0 })
    expect((await readFile(path).catch(() => Buffer.alloc(0))).length).toBe(0)
  })
})
