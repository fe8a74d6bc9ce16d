// Every vendor over loopback, in its own protocol.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asynchronousVendors } from '../../test/props/transcription-vendors/asynchronous.ts'
import {
  apiKey,
  jobIn,
  type Loopback,
  openLoopback,
  plain,
  run,
} from '../../test/props/transcription-vendors/fixture.ts'
import { type ScriptedVendor, said } from '../../test/props/transcription-vendors/said.ts'
import { synchronousVendors } from '../../test/props/transcription-vendors/synchronous.ts'
import type { TranscriptionOptions } from '../ports/transcription.ts'

let loopback: Loopback
beforeAll(async () => {
  loopback = await openLoopback()
})
beforeEach(() => loopback.reset())
afterAll(() => loopback.close())

const everything = ({ reports }: ScriptedVendor): TranscriptionOptions => ({
  align: reports.words,
  keyterms: [],
  ...(reports.speakers && { diarize: { minSpeakers: 1, maxSpeakers: 20 } }),
})

const rounded = (share: number | null | undefined) => share && Math.round(share * 1000) / 1000

describe.each([...synchronousVendors, ...asynchronousVendors])('$name', (scripted) => {
  const vendor = () => scripted.open(loopback.server)
  const hears = async (wishes = everything(scripted)) =>
    run(vendor(), (await jobIn(loopback.folder, 2, wishes)).job)

  it('gets the recording and the key, and returns speakers, words and times', async () => {
    loopback.script = scripted.spoken
    const { job, progress } = await jobIn(loopback.folder, 2, everything(scripted))
    const { language, languageConfidence, segments } = await run(vendor(), job)
    const { speakers, words } = scripted.reports
    expect([language, languageConfidence]).toEqual(['en', scripted.confidence.language])
    expect(rounded(segments[0]?.confidence)).toBe(scripted.confidence.sentence)
    expect(
      segments.map(({ startSeconds, endSeconds, text, speaker }) => [
        startSeconds,
        endSeconds,
        text,
        speaker,
      ]),
    ).toEqual([
      [0, 1, 'Hello there.', speakers ? 0 : null],
      [1.2, 2, 'Good bye.', speakers ? 1 : null],
    ])
    expect(
      segments.flatMap((segment) =>
        segment.words.map((word) => [word.word, word.startSeconds, word.endSeconds, word.speaker]),
      ),
    ).toEqual(
      words ? said.map(({ text, start, end, speaker }) => [text, start, end, speakers ? speaker : null]) : [],
    )
    expect(progress.at(-1)).toBe(1)
    expect(progress).toEqual([...progress].sort((one, other) => one - other))
    const [sent] = loopback.received
    expect(sent?.bytes.subarray(0, 4).toString()).toBe('RIFF')
    expect(sent?.bytes.length).toBe(44 + 64_000)
    const [header, value] = scripted.key
    for (const { headers } of loopback.received) expect(headers[header]).toBe(value)
  })

  it('returns nothing where there is no speech', async () => {
    loopback.script = scripted.silent
    expect(await hears()).toEqual({ language: null, languageConfidence: null, segments: [] })
  })

  it('that refuses the key is quoted without the key', async () => {
    loopback.script = { '*': { status: 401, body: { error: `Invalid API key: ${apiKey}` } } }
    const refusal = hears()
    await expect(refusal).rejects.toThrow(/answered 401: .*Invalid API key: …/)
    await expect(refusal).rejects.not.toThrow(apiKey)
    expect(loopback.received.length).toBe(1)
  })

  it('that answers in an unknown format is reported as such', async () => {
    loopback.script = { '*': { body: '<html>' } }
    await expect(hears()).rejects.toThrow(/did not answer with JSON/)
    loopback.script = { '*': { body: { hello: 1 } } }
    await expect(hears()).rejects.toThrow(/form that is not known/)
  })

  it('that rate-limits is asked again', async () => {
    const [first = ''] = Object.keys(scripted.spoken)
    const busy = { status: 429, headers: { 'retry-after': '1' }, body: {} }
    const fine = scripted.spoken[first] as { body: unknown }
    let asked = 0
    loopback.script = { ...scripted.spoken, [first]: () => (asked++ < 2 ? busy : fine) }
    const { segments } = await hears(plain)
    expect(asked).toBe(3)
    // Words were not requested.
    expect(segments.map(({ text, words }) => [text, words])).toEqual([
      ['Hello there.', []],
      ['Good bye.', []],
    ])
  })
})
