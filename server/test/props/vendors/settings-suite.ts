// What a company makes of an agent's settings, as its server is asked for them: a test of a company is its server and a
// row for every setting that its description names.
import { describe, expect, it } from 'vitest'
import { makeFrame } from '../../../src/media/frame.ts'
import type { SynthesizerOptions } from '../../../src/ports/synthesizer.ts'
import type { TranscriberOptions } from '../../../src/ports/transcriber.ts'
import type { SttVendor, TtsVendor } from '../../../src/ports/vendor.ts'
import { cleanupsHere } from './cleanups-here.ts'
import type { RecordedTts } from './recorded-tts.ts'
import type { HearingServer } from './stt-server.ts'
import { heardFrom } from './tts-suite.ts'

/** What an agent has that says nothing about its transcriber but the vendor. */
const saysNothing: TranscriberOptions = {
  model: 'nova-2',
  language: 'en',
  rateHz: 8_000,
  samplingRateHz: 16_000,
  encoding: 'linear16',
  task: 'transcribe',
  stream: false,
  endpointingMs: 500,
  keyterms: [],
}

export interface SttSettings {
  readonly vendor: SttVendor
  readonly credentials: Readonly<Record<string, string>>
  readonly open: () => Promise<HearingServer>
  /** What it is asked for when an agent says nothing. */
  readonly usually: Readonly<Record<string, unknown>>
  readonly rows: readonly (readonly [
    wish: Partial<TranscriberOptions>,
    asked: Readonly<Record<string, unknown>>,
  ])[]
}

export function transcriberSettings({ vendor, credentials, open, usually, rows }: SttSettings): void {
  const cleanups = cleanupsHere()
  const serverAsked = async (wish: Partial<TranscriberOptions>) => {
    const server = await open()
    const stop = new AbortController()
    cleanups.push(
      () => server.close(),
      () => stop.abort(),
    )
    const stream = vendor
      .open({ credentials, baseUrl: server.baseUrl })
      .open({ ...saysNothing, ...wish }, stop.signal)
    void (async () => {
      for await (const _ of stream);
    })().catch(() => {})
    stream.hear?.({ type: 'speech-start', atMs: 0 })
    for (let n = 0; n < 10; n++) stream.write(makeFrame(8_000))
    stream.finalize?.()
    await expect.poll(() => server.settings.length).toBeGreaterThan(0)
    return server
  }

  describe(`the settings of an agent, at ${vendor.label}`, () => {
    it('that says nothing are the vendor’s recommendations', async () => {
      expect((await serverAsked({})).settings[0]).toMatchObject(usually)
    })

    it.each(rows)('%o ask for %o', async (wish, asked) => {
      expect((await serverAsked(wish)).settings[0]).toMatchObject(asked)
    })

    it.each([8_000, 16_000, 24_000, 48_000])('%i hertz are what it gets, or what it lacks', async (hertz) => {
      const wish = { samplingRateHz: hertz }
      const { rateHz } = await serverAsked(wish)
      const lacks = vendor.lacks?.(wish) ?? []
      expect(rateHz === hertz).toBe(!lacks.includes('samplingRateHz'))
    })

    it('are all of those that its description names', () => {
      const named = Object.entries<string | null>(vendor.options).flatMap(([option, effect]) =>
        effect === null || /^(always|ours)/.test(effect) ? [] : [option],
      )
      const tried = new Set(rows.flatMap(([wish]) => Object.keys(wish)))
      expect(named.filter((option) => !tried.has(option))).toEqual([])
    })
  })
}

export interface TtsSettings {
  readonly vendor: TtsVendor
  readonly credentials: Readonly<Record<string, string>>
  readonly open: () => Promise<RecordedTts>
}

/** Everything that the vendor was sent for one sentence. */
export async function sentFor(
  { vendor, credentials, open }: TtsSettings,
  options: Partial<SynthesizerOptions>,
): Promise<string> {
  const server = await open()
  const engine = vendor.open({ credentials, baseUrl: server.baseUrl })
  const text = 'Ask Nguyen for the Q&A <now>.'
  const stream = engine.open({ voice: '', rateHz: 16_000, ...options }, new AbortController().signal)
  stream.write(text)
  stream.finish()
  expect(await heardFrom(stream)).toEqual(text.split(' '))
  engine.close?.()
  await server.close()
  return [...server.asked.map(({ url }) => `${url.pathname}${url.search}`), ...server.messages].join('\n')
}

export const pronouncedWords = [
  { written: 'Nguyen', ipa: 'ŋwiən' },
  { written: 'Q&A', spokenAs: 'questions & answers' },
]

/** What a setting becomes in what is sent. */
type TtsRow = readonly [Partial<SynthesizerOptions>, string | readonly string[]]

export function synthesizerSettings(place: TtsSettings, rows: readonly TtsRow[]): void {
  const { vendor } = place
  describe(`settings of an agent, at ${vendor.label}`, () => {
    it.each(rows)('%o becomes %s', async (options, expected) => {
      const sent = await sentFor(place, options)
      for (const fragment of [expected].flat()) expect(sent).toContain(fragment)
    })

    it('is tested for every setting that it has something for', () => {
      const tested = rows.flatMap(([options]) => Object.keys(options))
      // Text is gathered before it reaches a vendor: gathered-text.test.ts.
      const gathered = 'how much text it gets at a time, above 40 characters'
      const mapped = Object.entries(vendor.options).filter(
        ([name, what]) =>
          what !== null && what !== gathered && !what.startsWith('always') && name !== 'stream',
      )
      expect(mapped.map(([name]) => name).toSorted()).toEqual([...new Set(tested)].toSorted())
    })
  })
}

/** An interruption of a vendor that speaks one clause at a time. */
export function interruptedBetweenClauses({ vendor, credentials, open }: TtsSettings): void {
  const cleanups = cleanupsHere()
  it(`${vendor.label}: an interruption between two clauses leaves the connection to the next saying`, async () => {
    const server = await open()
    const engine = vendor.open({ credentials, baseUrl: server.baseUrl })
    cleanups.push(
      () => server.close(),
      () => engine.close?.(),
    )
    const { signal } = new AbortController()
    const first = engine.open({ voice: '', rateHz: 8_000 }, signal)
    first.write('One moment.')
    first.flush()
    for await (const { type } of first) if (type === 'clause-end') break
    first.cancel()
    const second = engine.open({ voice: '', rateHz: 8_000 }, signal)
    second.write('Here I am.')
    second.finish()
    expect(await heardFrom(second)).toEqual(['Here', 'I', 'am.'])
    expect(server.asked.length).toBe(1)
  })
}
