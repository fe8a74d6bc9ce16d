// Recordings through the real engines: words, times, speakers, language, and no words where there is no speech.
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { type Clip, clipsAbsent, readClips } from '../../../test/props/engines/clips.ts'
import { modelsAtHand } from '../../../test/props/engines/models-at-hand.ts'
import { wordErrors } from '../../../test/props/engines/word-errors.ts'
import { describeUnless } from '../../../test/props/unless.ts'
import type { TranscriptionOptions, TranscriptionResult } from '../../ports/transcription.ts'
import { moonshine, silero, whisperBase, xvector } from '../models/catalogue.ts'
import { embeddedTranscription } from './embedded-engine.ts'

const { folder, absent } = await modelsAtHand(
  process.env.PARLEY_MODELS_DIR,
  silero,
  moonshine,
  whisperBase,
  xvector,
)
const skipped = absent ?? clipsAbsent
const scratch = await mkdtemp(join(tmpdir(), 'parley-speech-test-'))
const clips = readClips()
const clip = (name: string): Clip => {
  const found = clips.find((one) => one.name === name)
  if (!found) throw new Error(`no such clip: ${name}`)
  return found
}

const engine = embeddedTranscription({ models: { folder }, threads: 1, niceness: 0, whisper: 'base' })
afterAll(async () => {
  await engine.close()
  await rm(scratch, { recursive: true })
})

let count = 0

async function pcmOf(...sounds: readonly Int16Array[]): Promise<string> {
  const pcmFile = join(scratch, `${count++}.pcm`)
  await writeFile(
    pcmFile,
    Buffer.concat(sounds.map((sound) => Buffer.from(sound.buffer, sound.byteOffset, sound.byteLength))),
  )
  return pcmFile
}

interface AttemptOutcome {
  readonly found: TranscriptionResult
  readonly shares: readonly number[]
  readonly notes: Map<string, string>
}

async function transcribe(
  pcmFile: string,
  wishes: Partial<TranscriptionOptions> = {},
  notes = new Map<string, string>(),
  signal = new AbortController().signal,
): Promise<AttemptOutcome> {
  const shares: number[] = []
  const found = await engine.transcribe(
    {
      sound: { pcmFile, durationSeconds: 0 },
      wishes: { language: 'en', align: false, keyterms: [], ...wishes },
      onProgress: (share) => shares.push(share),
      notes: { get: (name) => notes.get(name), put: (name, json) => void notes.set(name, json) },
    },
    signal,
  )
  return { found, shares, notes }
}

const textOf = ({ segments }: TranscriptionResult) => segments.map(({ text }) => text).join(' ')
const pause = (ms: number) => new Int16Array(ms * 16)

describeUnless(skipped, 'the embedded engine', () => {
  it('transcribes speech with matching times', async () => {
    const [first, second] = [clip('lv_0890'), clip('lv_0870')]
    const pcm = await pcmOf(pause(2_000), first.samples, pause(3_000), second.samples)
    const { found, shares } = await transcribe(pcm, { align: true })
    expect(wordErrors(`${first.said} ${second.said}`, textOf(found)).errors).toBeLessThanOrEqual(6)
    const words = found.segments.flatMap((segment) => segment.words)
    expect(words.map(({ word }) => word).join(' ')).toBe(textOf(found))
    expect(words[0]?.startSeconds).toBeGreaterThan(2)
    const starts = words.map(({ startSeconds }) => startSeconds)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    // The silence between the two clips.
    const secondFrom = 2 + first.samples.length / 16_000 + 3
    expect(
      words.some(({ startSeconds }) => startSeconds > secondFrom - 2.5 && startSeconds < secondFrom - 0.1),
    ).toBe(false)
    expect(words.some(({ startSeconds }) => startSeconds > secondFrom)).toBe(true)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares.at(-1)).toBe(1)
    expect(found).toMatchObject({ language: 'en', languageConfidence: null })
  })

  it('resumes where an earlier attempt stopped', async () => {
    const pcm = await pcmOf(clip('lv_0880').samples, pause(2_000), clip('cards_005').samples)
    const first = await transcribe(pcm)
    // The two stretches of speech are decoded side by side: whichever ends first is noted first.
    const noted = [...first.notes].map(([name, json]) => ({ name, words: JSON.parse(json) }))
    expect(noted).toHaveLength(2)
    const [{ name, words } = { name: '', words: [] }] = noted.toSorted(
      (a, b) => a.words[0].fromMs - b.words[0].fromMs,
    )
    const remembered = JSON.stringify([{ ...words[0], text: ' Remembered' }])
    const { found } = await transcribe(pcm, {}, new Map([[name, remembered]]))
    expect(textOf(found).startsWith('Remembered')).toBe(true)
    expect(textOf(found).endsWith(textOf(first.found).slice(-10))).toBe(true)
  })

  it('detects English with high confidence', async () => {
    const { found } = await transcribe(await pcmOf(clip('lv_0920').samples), { language: undefined })
    expect(found.language).toBe('en')
    expect(found.languageConfidence).toBeGreaterThan(0.5)
  })

  it('separates two speakers and assigns each their words', async () => {
    const turns = ['lv_0880', 'cards_005', 'lv_0930', 'cards_002', 'lv_0890', 'cards_005']
    const pcm = await pcmOf(...turns.flatMap((name) => [clip(name).samples, pause(500)]))
    const { found } = await transcribe(pcm, { diarize: { minSpeakers: 1, maxSpeakers: 20 } })
    const speakers = found.segments.map(({ speaker }) => speaker)
    expect(new Set(speakers)).toEqual(new Set([0, 1]))
    const said = (speaker: number) =>
      found.segments.flatMap((segment) => (segment.speaker === speaker ? [segment.text] : [])).join(' ')
    const ofFirst = [clip('lv_0880'), clip('lv_0930'), clip('lv_0890')].map((one) => one.said).join(' ')
    expect(wordErrors(ofFirst, said(0)).errors).toBeLessThanOrEqual(6)
  })

  it('finds no words in an hour of silence', async () => {
    const pcm = await pcmOf()
    await truncate(pcm, 3_600 * 32_000)
    const { found } = await transcribe(pcm, { language: undefined })
    expect(found).toEqual({ language: null, languageConfidence: null, segments: [] })
  })

  it('transcribes a recording that is far too quiet', async () => {
    const { samples, said } = clip('lv_0920')
    const { found } = await transcribe(await pcmOf(samples.map((sample) => Math.round(sample / 50))))
    expect(wordErrors(said, textOf(found)).errors).toBeLessThanOrEqual(3)
  })

  it('finds no words in an empty recording', async () => {
    expect((await transcribe(await pcmOf())).found.segments).toEqual([])
  })

  it('finds no words in noise', async () => {
    for (const { samples } of clips.filter(({ said }) => said === ''))
      expect(textOf((await transcribe(await pcmOf(samples))).found)).toBe('')
  })

  it('stops when aborted', async () => {
    const stop = new AbortController()
    const running = transcribe(
      await pcmOf(clip('lv_0890').samples, clip('lv_0870').samples),
      {},
      new Map(),
      stop.signal,
    )
    stop.abort(new Error('aborted by the test'))
    await expect(running).rejects.toThrow('aborted by the test')
  })
})

it('refuses unsupported options and says what would help', () => {
  const wishes = {
    language: 'xx',
    align: true,
    keyterms: ['Parley'],
    diarize: { minSpeakers: 1, maxSpeakers: 20 },
  }
  expect(engine.refusals(wishes).map(({ option }) => option)).toEqual(['language', 'keyterms'])
  expect(engine.refusals({ language: 'de', align: true, keyterms: [] })).toEqual([])
  expect(engine.refusals(wishes)[0]?.sentence).toContain('"xx"')
})
