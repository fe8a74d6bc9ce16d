// Every vendor over loopback, in its own protocol.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { quick } from '../../../../test/props/transcription-vendors/quick.ts'
import { type Dialect, said } from '../../../../test/props/transcription-vendors/said.ts'
import { slow } from '../../../../test/props/transcription-vendors/slow.ts'
import {
  apiKey,
  jobIn,
  type Loopback,
  openLoopback,
  plain,
  run,
} from '../../../../test/props/transcription-vendors/stage.ts'
import type { TranscriptionOptions } from '../../../ports/transcription.ts'

let stage: Loopback
beforeAll(async () => {
  stage = await openLoopback()
})
beforeEach(() => stage.reset())
afterAll(() => stage.close())

const everything = ({ tells }: Dialect): TranscriptionOptions => ({
  align: tells.words,
  keyterms: [],
  ...(tells.speakers && { diarize: { minSpeakers: 1, maxSpeakers: 20 } }),
})

const rounded = (share: number | null | undefined) => share && Math.round(share * 1000) / 1000

describe.each([...quick, ...slow])('$name', (dialect) => {
  const vendor = () => dialect.open(stage.server)
  const hears = async (wishes = everything(dialect)) =>
    run(vendor(), (await jobIn(stage.folder, 2, wishes)).job)

  it('gets the recording and the key, and returns speakers, words and times', async () => {
    stage.script = dialect.spoken
    const { job, progress } = await jobIn(stage.folder, 2, everything(dialect))
    const { language, languageConfidence, segments } = await run(vendor(), job)
    const { speakers, words } = dialect.tells
    expect([language, languageConfidence]).toEqual(['en', dialect.sure.language])
    expect(rounded(segments[0]?.confidence)).toBe(dialect.sure.sentence)
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
    const [sent] = stage.heard
    expect(sent?.bytes.subarray(0, 4).toString()).toBe('RIFF')
    expect(sent?.bytes.length).toBe(44 + 64_000)
    const [header, value] = dialect.key
    for (const { headers } of stage.heard) expect(headers[header]).toBe(value)
  })

  it('returns nothing where there is no speech', async () => {
    stage.script = dialect.silent
    expect(await hears()).toEqual({ language: null, languageConfidence: null, segments: [] })
  })

  it('that refuses the key is quoted without the key', async () => {
    stage.script = { '*': { status: 401, body: { error: `Invalid API key: ${apiKey}` } } }
    const refusal = hears()
    await expect(refusal).rejects.toThrow(/answered 401: .*Invalid API key: …/)
    await expect(refusal).rejects.not.toThrow(apiKey)
    expect(stage.heard.length).toBe(1)
  })

  it('that answers in an unknown format is reported as such', async () => {
    stage.script = { '*': { body: '<html>' } }
    await expect(hears()).rejects.toThrow(/did not answer with JSON/)
    stage.script = { '*': { body: { hello: 1 } } }
    await expect(hears()).rejects.toThrow(/form that is not known/)
  })

  it('that rate-limits is asked again', async () => {
    const [first = ''] = Object.keys(dialect.spoken)
    const busy = { status: 429, headers: { 'retry-after': '1' }, body: {} }
    const fine = dialect.spoken[first] as { body: unknown }
    let asked = 0
    stage.script = { ...dialect.spoken, [first]: () => (asked++ < 2 ? busy : fine) }
    const { segments } = await hears(plain)
    expect(asked).toBe(3)
    // Words were not requested.
    expect(segments.map(({ text, words }) => [text, words])).toEqual([
      ['Hello there.', []],
      ['Good bye.', []],
    ])
  })
})
