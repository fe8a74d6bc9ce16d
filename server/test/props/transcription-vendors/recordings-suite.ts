// What every company that transcribes recordings must do, over loopback and in its own protocol: a test of a company is
// its script and one line.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TranscriptionOptions } from '../../../src/ports/transcription.ts'
import { onPassedOver } from '../../../src/vendors/over/wire/passed-over.ts'
import type { ScriptedAsyncVendor } from './asynchronous.ts'
import {
  apiKey,
  hasty,
  jobIn,
  type Loopback,
  openLoopback,
  plain,
  type ReceivedRequest,
  run,
} from './fixture.ts'
import { type ScriptedVendor, said } from './said.ts'

const everything = ({ reports }: ScriptedVendor): TranscriptionOptions => ({
  align: reports.words,
  keyterms: [],
  ...(reports.speakers && { diarize: { minSpeakers: 1, maxSpeakers: 20 } }),
})

const rounded = (share: number | null | undefined) => share && Math.round(share * 1000) / 1000

export interface RecordingsSuite {
  readonly loopback: () => Loopback
  /** The requests that the vendor gets for these wishes. */
  readonly requestsFor: (wishes: Partial<TranscriptionOptions>) => Promise<ReceivedRequest[]>
}

/** Jobs of a company that is polled are tested as well. */
export function recordingsSuite(scripted: ScriptedVendor | ScriptedAsyncVendor): RecordingsSuite {
  let loopback: Loopback
  beforeAll(async () => {
    loopback = await openLoopback()
  })
  beforeEach(() => loopback.reset())
  afterAll(() => loopback.close())

  describe(`${scripted.name}, for recordings`, () => {
    const { sentences: isCut = true } = scripted.reports
    const whole = 'Hello there. Good bye.'
    const vendor = () => scripted.open(loopback.server)
    const hears = async (wishes = everything(scripted)) =>
      run(vendor(), (await jobIn(loopback.folder, 2, wishes)).job)

    it('gets the recording and the key, and returns speakers, words and times', async () => {
      loopback.script = scripted.spoken
      const { job, progress } = await jobIn(loopback.folder, 2, everything(scripted))
      const { language, languageConfidence, segments } = await run(vendor(), job)
      const { speakers, words } = scripted.reports
      const heard = [
        [0, 1, 'Hello there.', speakers ? 0 : null],
        [1.2, 2, 'Good bye.', speakers ? 1 : null],
      ]
      expect([language, languageConfidence]).toEqual(['en', scripted.confidence.language])
      expect(rounded(segments[0]?.confidence)).toBe(scripted.confidence.sentence)
      expect(
        segments.map(({ startSeconds, endSeconds, text, speaker }) => [
          startSeconds,
          endSeconds,
          text,
          speaker,
        ]),
      ).toEqual(isCut ? heard : [[0, 2, whole, null]])
      expect(
        segments.flatMap((segment) =>
          segment.words.map((word) => [word.word, word.startSeconds, word.endSeconds, word.speaker]),
        ),
      ).toEqual(
        words
          ? said.map(({ text, start, end, speaker }) => [text, start, end, speakers ? speaker : null])
          : [],
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
      expect(segments.map(({ text, words }) => [text, words])).toEqual(
        (isCut ? ['Hello there.', 'Good bye.'] : [whole]).map((text) => [text, []]),
      )
    })

    it('accepts the options that it supports', () => {
      expect(refusalsOf(scripted, { language: 'en' })).toEqual([])
      const counts = scripted.reports.counts ? between(2, 4) : between(1, 20)
      if (scripted.reports.speakers) expect(refusalsOf(scripted, { ...counts, align: true })).toEqual([])
    })
  })
  if ('pollRoute' in scripted) remoteJobsSuite(scripted, () => loopback)

  async function requestsFor(wishes: Partial<TranscriptionOptions>): Promise<ReceivedRequest[]> {
    loopback.received.length = 0
    loopback.script = scripted.spoken
    await run(scripted.open(loopback.server), (await jobIn(loopback.folder, 2, { ...plain, ...wishes })).job)
    return [...loopback.received]
  }
  return { loopback: () => loopback, requestsFor }
}

const often = { interval: 2 }

/** Polling, retries, and resuming after a crash. */
function remoteJobsSuite(scripted: ScriptedAsyncVendor, loopbackNow: () => Loopback): void {
  describe(`the jobs of ${scripted.name}`, () => {
    const vendor = () => scripted.open(loopbackNow().server)
    const done = [scripted.spoken[scripted.pollRoute]].flat().at(-1)
    const polling = (...replies: unknown[]) => ({
      ...scripted.spoken,
      [scripted.pollRoute]: replies as never,
    })
    const polls = () =>
      loopbackNow()
        .asked()
        .filter((what) => what === scripted.pollRoute).length
    const submissions = () =>
      loopbackNow()
        .asked()
        .filter((what) => scripted.submitRoutes.includes(what))

    it('is polled until the job is done, with a single submission', async () => {
      const { working } = scripted
      loopbackNow().script = polling(working, working, working, done)
      const { job, progress } = await jobIn(loopbackNow().folder, 2, plain)
      expect((await run(vendor(), job)).segments.length).toBeGreaterThan(0)
      expect([polls(), submissions()]).toEqual([4, scripted.submitRoutes])
      expect(new Set(progress).size).toBeGreaterThan(4)
    })

    it('goes on when its status is a word that the vendor has added, which is counted', async () => {
      const heard: string[] = []
      const counting = onPassedOver(({ service, messageType }) => heard.push(`${service} ${messageType}`))
      const { working } = scripted
      const news = { body: { ...Object(Object(working).body), status: 'warming_up' } }
      loopbackNow().script = polling(news, working, done)
      const { job } = await jobIn(loopbackNow().folder, 2, plain)
      expect((await run(vendor(), job)).segments.length).toBeGreaterThan(0)
      counting.stop()
      expect(heard).toEqual(['recordings warming_up'])
    })

    it('may rate-limit, fail or be unreachable for a while', async () => {
      const busy = { status: 429, headers: { 'retry-after': '1' } }
      const { working } = scripted
      loopbackNow().script = polling(busy, { status: 503 }, 'drop', working, 'drop', done)
      const { job } = await jobIn(loopbackNow().folder, 2, plain)
      expect((await run(vendor(), job)).segments.length).toBeGreaterThan(0)
      expect([polls(), submissions()]).toEqual([6, scripted.submitRoutes])
    })

    it('that keeps failing is given up, and the next attempt resumes the job', async () => {
      loopbackNow().script = polling({ status: 503, body: { error: 'down' } })
      const { job, kept } = await jobIn(loopbackNow().folder, 2, plain)
      await expect(run(vendor(), job)).rejects.toThrow(/answered 503: .*down/)
      expect(polls()).toBe(4)
      loopbackNow().script = polling(done)
      const again = await jobIn(loopbackNow().folder, 2, plain, kept)
      expect((await run(vendor(), again.job)).segments.length).toBeGreaterThan(0)
      expect(submissions()).toEqual(scripted.submitRoutes)
    })

    it('that never finishes is given up after the time limit', async () => {
      loopbackNow().script = polling(scripted.working)
      const { job } = await jobIn(loopbackNow().folder, 2, plain)
      const { signal } = new AbortController()
      const endless = run(vendor(), job, signal, { ...hasty, patienceMs: () => 30 })
      await expect(endless).rejects.toThrow(/has not finished after a minute\./)
    })

    it('that refuses a poll is quoted at once', async () => {
      loopbackNow().script = polling({ status: 403, body: { error: `Not with ${apiKey}.` } })
      const { job } = await jobIn(loopbackNow().folder, 2, plain)
      await expect(run(vendor(), job)).rejects.toThrow(/answered 403: .*Not with …\./)
      expect(polls()).toBe(1)
    })

    it('that fails is quoted without the key, and the next attempt submits again', async () => {
      loopbackNow().script = polling(scripted.failed)
      const { job, kept } = await jobIn(loopbackNow().folder, 2, plain)
      const failure = run(vendor(), job)
      await expect(failure).rejects.toThrow(/could not transcribe it: ./)
      await expect(failure).rejects.not.toThrow(apiKey)
      loopbackNow().script = polling(done)
      await run(vendor(), (await jobIn(loopbackNow().folder, 2, plain, kept)).job)
      expect(submissions()).toEqual([...scripted.submitRoutes, ...scripted.submitRoutes])
    })

    it('is no longer contacted soon after an abort, and the job is resumed after a crash', async () => {
      const stop = new AbortController()
      loopbackNow().script = { ...scripted.spoken, [scripted.pollRoute]: [scripted.working, 'hang'] }
      const { job, kept } = await jobIn(loopbackNow().folder, 2, plain)
      const stopped = run(vendor(), job, stop.signal)
      await expect.poll(polls, often).toBe(2)
      stop.abort(new Error('Aborted by the test.'))
      await expect(stopped).rejects.toThrow('Aborted by the test.')

      loopbackNow().script = polling(done)
      const again = await jobIn(loopbackNow().folder, 2, plain, kept)
      expect((await run(vendor(), again.job)).segments.length).toBeGreaterThan(0)
      expect(submissions()).toEqual(scripted.submitRoutes)

      // A stored result is not requested again.
      loopbackNow().received.length = 0
      await run(vendor(), (await jobIn(loopbackNow().folder, 2, plain, kept)).job)
      expect(loopbackNow().asked()).toEqual([])
    })

    it('that has lost the job gets it submitted again', async () => {
      loopbackNow().script = { ...scripted.spoken, [scripted.pollRoute]: 'hang' }
      const stop = new AbortController()
      const { job, kept } = await jobIn(loopbackNow().folder, 2, plain)
      const stopped = run(vendor(), job, stop.signal)
      await expect.poll(polls, often).toBe(1)
      stop.abort()
      await expect(stopped).rejects.toThrow()
      let asked = 0
      const gone = { status: 404, body: { error: 'not found' } }
      loopbackNow().script = {
        ...scripted.spoken,
        [scripted.pollRoute]: () => (asked++ === 0 ? gone : (done as never)),
      }
      await run(vendor(), (await jobIn(loopbackNow().folder, 2, plain, kept)).job)
      expect(submissions()).toEqual([...scripted.submitRoutes, ...scripted.submitRoutes])
    })
  })
}

export const between = (minSpeakers: number, maxSpeakers: number) => ({
  diarize: { minSpeakers, maxSpeakers },
})

export const jsonOf = (received: ReceivedRequest | undefined) => JSON.parse(received?.bytes.toString() ?? '')

const refusalsOf = (scripted: ScriptedVendor, wishes: Partial<TranscriptionOptions>) =>
  scripted
    .open({ baseUrl: 'http://127.0.0.1:1', model: undefined, apiKey: undefined })
    .refusals({ ...plain, ...wishes })

/** Options that it does not support are refused by name, with a remedy. */
export function refusedOptions(
  scripted: ScriptedVendor,
  rows: readonly (readonly [Partial<TranscriptionOptions>, RegExp])[],
): void {
  it.each(rows)(`${scripted.name} refuses %o`, (wishes, sentence) => {
    expect(refusalsOf(scripted, wishes).map((refusal) => refusal.sentence)).toEqual([
      expect.stringMatching(sentence),
    ])
  })
}
