// What every transcriber must do, against a loopback server that speaks the vendor's own protocol: a test of a vendor is
// its server and one line.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { makeFrame } from '../../../src/media/frame.ts'
import type { TranscriberOptions, TranscriptEvent, TranscriptStream } from '../../../src/ports/transcriber.ts'
import type { SttVendor, VendorAccount } from '../../../src/ports/vendor.ts'
import { onPassedOver } from '../../../src/vendors/over/wire/passed-over.ts'
import { vendorCall } from './vendor-call.ts'
import { type Fault, type VendorServer, whyRefused } from './vendor-server.ts'

export interface SttServer extends VendorServer {
  /** Tells every client what was said so far of an utterance that goes on. */
  partial(text: string): void
  /** Tells every client the whole of an utterance that is over, and where it ended. */
  final(text: string, endMs?: number): void
  /** Whatever it was told besides audio: `finalize`, `keep-alive`, `bye` and so on. */
  readonly told: string[]
  /** The audio that came, decoded. */
  readonly sound: number[]
  /** The rate of the audio, as the client told it. */
  rateHz: number
}

export interface SttSuite {
  readonly vendor: SttVendor
  /** The only credentials that the server accepts. */
  readonly credentials: Readonly<Record<string, string>>
  readonly open: () => Promise<SttServer>
  readonly model?: string
  /** Over HTTP every utterance is a request, without partials. */
  readonly over: 'socket' | 'http'
  /** Whether it ends utterances by itself and cannot be asked to. */
  readonly endsByItself?: boolean
  /** Whether it tells when each word was said; undefined: as its abilities say. */
  readonly tellsTimes?: boolean
  /** A silent client is disconnected after this; undefined: never. */
  readonly idleMs?: number
  /** A message that cannot be read. */
  readonly nonsense?: string
  /** A message of a type that the vendor may add some day. */
  readonly novelty?: string
}

const minuteMs = 60_000
/** It has the name of its type where any vendor may have it. */
export const usualNovelty = JSON.stringify({
  type: 'Novel',
  message_type: 'novel',
  event: 'novel',
  status: 'novel',
})
const rateHz = 8_000

export function transcriberSuite(name: string, suite: SttSuite): void {
  const { vendor, credentials, nonsense = '{"nonsense":', novelty = usualNovelty } = suite
  const secret = Object.values(credentials)[0] as string
  const cleanups: (() => unknown)[] = []
  afterEach(async () => {
    vi.useRealTimers()
    for (const clean of cleanups.splice(0).reverse()) await clean()
  })

  const usual: TranscriberOptions = {
    model: suite.model ?? '',
    language: 'en',
    rateHz,
    endpointingMs: 500,
    samplingRateHz: 16_000,
    encoding: 'linear16',
    task: 'transcribe',
    stream: true,
  }
  const setUp = async (account: Partial<VendorAccount> = {}) => {
    const server = await suite.open()
    cleanups.push(() => server.close())
    const engine = vendor.open({ credentials, baseUrl: server.baseUrl, ...account })
    cleanups.push(() => engine.close?.())
    const stop = new AbortController()
    cleanups.push(() => stop.abort())
    return { server, engine, listen: () => engine.open(usual, stop.signal), stop }
  }
  const listening = (server: SttServer) => expect.poll(() => server.connections.size).toBe(1)

  /** The tests of a vendor that is asked for one utterance at a time. */
  const utterances = () => {
    const sayOne = async (account: Partial<VendorAccount> = {}) => {
      const { server, engine, listen, stop } = await setUp(account)
      const stream = listen()
      const say = () => {
        stream.hear?.({ type: 'speech-start', atMs: 0 })
        speak(stream, 1_000)
        stream.hear?.({ type: 'speech-end', atMs: 20 })
        stream.finalize?.()
      }
      return { server, engine, stream, say, stop }
    }
    const asked = (server: SttServer, times = 1) =>
      expect.poll(() => server.told.filter((what) => what === 'finalize').length).toBe(times)

    it('is connected before it is asked, and asks over the same connection, through a minute of silence', async () => {
      const { server, engine, stream, say, stop } = await sayOne()
      await engine.warm?.(usual, stop.signal)
      // A connection is free a little after the end of its answer.
      await new Promise((free) => setImmediate(free))
      void allOf(stream)
      say()
      await asked(server)
      server.final('good day')
      await expect.poll(() => finalsOf(stream)).toEqual(['good day'])
      expect(server.dialled).toBe(1)
      for (let passedMs = 0; passedMs < minuteMs; passedMs += 20) speak(stream, 0)
      server.hangUp()
      say()
      await asked(server, 2)
      server.final('still there')
      await expect.poll(() => finalsOf(stream)).toEqual(['good day', 'still there'])
    })

    it('delivers the words of a slow vendor, and the last ones after the end', async () => {
      const { server, stream, say } = await sayOne()
      const events = allOf(stream)
      server.fault = { is: 'delay', ms: 30 }
      say()
      stream.finish()
      await asked(server)
      server.final('good-bye')
      expect((await events).at(-1)).toMatchObject({ type: 'final', text: 'good-bye' })
    })

    it.each([
      [401, 'an invalid key'],
      [429, 'too many requests'],
    ])('answers %s (%s) with a sentence without the key', async (status) => {
      const { server, stream, say } = await sayOne(
        status === 401 ? { credentials: invalid(credentials) } : {},
      )
      if (status !== 401) server.fault = { is: 'refuse', status }
      say()
      const error = await failureOf(stream)
      expect(error.message).toContain(`${vendor.label} answered ${status}`)
      expect(error.message).not.toContain(secret)
      expect(error.message).not.toContain('not-the-key')
    })

    it.each<[string, Fault]>([
      ['breaks off', { is: 'break', after: 0 }],
      ['answers nonsense', { is: 'garble', message: nonsense }],
    ])('fails with a sentence when the vendor %s', async (_, fault) => {
      const { server, stream, say } = await sayOne()
      say()
      await asked(server)
      server.fault = fault
      server.final('are you')
      expect((await failureOf(stream)).message).toMatch(new RegExp(`^${vendor.label} .+[.]$`))
    })

    it('ends with the call, without an error', async () => {
      const { server, stream, say, stop } = await sayOne()
      const events = allOf(stream)
      say()
      await asked(server)
      stop.abort()
      expect((await events).filter(({ type }) => type === 'final')).toEqual([])
    })
  }

  describe(`${name}, as a transcriber`, () => {
    it('hears a caller through a whole call', async () => {
      const { server, engine } = await setUp()
      const phone = vendorCall({
        replies: ['Yes.', 'Good-bye.'],
        agent: {
          transcriber: {
            language: 'en',
            model: suite.model ?? vendor.label.toLowerCase(),
            keywords: 'Maple',
          },
        },
        parts: { transcriber: engine },
      })
      const { call, until } = phone
      await call.answer()
      for (const words of ['are you open', 'thank you']) {
        call.detector.tell('speech-start')
        if (suite.over === 'socket') {
          await until(() => server.connections.size === 1)
          for (let n = 0; n < 20; n++) await call.tick()
          server.partial(words)
          await until(() => call.updates.some((update) => update.type === 'partial' && update.text === words))
        } else for (let n = 0; n < 20; n++) await call.tick()
        const told = server.told.length
        call.detector.tell('speech-end')
        if (suite.endsByItself) for (let n = 0; n < 25; n++) await call.tick()
        else await until(() => server.told.slice(told).includes('finalize'))
        server.final(words)
        await until(() => call.spoken().some((line) => line === `user: ${words}`))
        const spoken = call.spoken().length
        await until(() => call.spoken().length > spoken)
      }
      expect(call.spoken()).toEqual([
        'user: are you open',
        'agent: Yes.',
        'user: thank you',
        'agent: Good-bye.',
      ])
      await phone.stop()
      await expect.poll(() => server.connections.size).toBe(0)
    })

    if (suite.over === 'http') {
      utterances()
      return
    }

    it('sends all of the audio, what came before it was connected included', async () => {
      const { server, listen } = await setUp()
      const stream = listen()
      for (let n = 1; n <= 25; n++) speak(stream, n * 100)
      stream.finalize?.()
      // The loudest frame is the last.
      await expect.poll(() => Math.max(0, ...server.sound)).toBeGreaterThan(2_450)
      const heardMs = (server.sound.length / server.rateHz) * 1_000
      expect(heardMs).toBeGreaterThan(450)
      expect(heardMs).toBeLessThan(550)
    })

    it('is connected before it is wanted, and listens over that connection', async () => {
      const { server, engine, listen, stop } = await setUp()
      await engine.warm?.(usual, stop.signal)
      await listening(server)
      const asked = server.asked.length
      const stream = listen()
      void allOf(stream).catch(() => {})
      server.final('already here')
      await expect.poll(() => finalsOf(stream)).toEqual(['already here'])
      expect(server.asked.length).toBe(asked)
    })

    it('delivers the words of a slow vendor, and the last ones after the closing message', async () => {
      const { server, listen } = await setUp()
      const stream = listen()
      const events = allOf(stream)
      await listening(server)
      server.fault = { is: 'delay', ms: 30 }
      speak(stream, 1_000)
      server.partial('good')
      stream.finish()
      await expect.poll(() => server.told.length).toBeGreaterThan(0)
      server.final('good-bye')
      await expect.poll(() => finalsOf(stream)).toEqual(['good-bye'])
      for (const client of server.connections) client.close(1000)
      await events
    })

    if (suite.tellsTimes ?? vendor.abilities.wordTimes)
      it('tells when each word was said', async () => {
        const { server, listen } = await setUp()
        const stream = listen()
        const events = allOf(stream)
        await listening(server)
        server.final('am I late', 900)
        await expect.poll(() => finalsOf(stream)).toEqual(['am I late'])
        for (const client of server.connections) client.close(1000)
        await events.catch(() => {})
        const final = read.get(stream)?.find((event) => event.type === 'final')
        const times = final?.words?.map(({ text, ...span }) => ({ text: text.trim(), ...span }))
        expect(times).toEqual([
          { text: 'am', startMs: 0, endMs: 300 },
          { text: 'I', startMs: 300, endMs: 600 },
          { text: 'late', startMs: 600, endMs: 900 },
        ])
      })

    it.each([
      [401, 'an invalid key'],
      [429, 'too many requests'],
    ])('answers %s (%s) with a sentence without the key', async (status) => {
      const { server, listen } = await setUp(status === 401 ? { credentials: invalid(credentials) } : {})
      if (status !== 401) server.fault = { is: 'refuse', status }
      const error = await failureOf(listen())
      expect(error.message).toContain(vendor.label)
      expect(error.message).toContain(`${status}`)
      if (status !== 401) expect(error.message).toContain(whyRefused)
      expect(error.message).not.toContain(secret)
      expect(error.message).not.toContain('not-the-key')
    })

    it('fails with a sentence when the vendor breaks off in the middle', async () => {
      const { server, listen } = await setUp()
      const stream = listen()
      const failure = failureOf(stream)
      await listening(server)
      server.partial('are you')
      for (const client of server.connections) client.close(1011, 'out of breath')
      expect((await failure).message).toBe(`${vendor.label} closed the connection (1011: out of breath).`)
    })

    it('hears on when a message is malformed, or of a type that the vendor has added', async () => {
      const { server, listen } = await setUp()
      const passedOver: string[] = []
      const counting = onPassedOver(({ company, service, reason }) => {
        if (company === vendor.label) passedOver.push(`${service} ${reason}`)
      })
      cleanups.push(() => counting.stop())
      const stream = listen()
      void allOf(stream).catch(() => {})
      await listening(server)
      server.fault = { is: 'garble', message: nonsense }
      server.partial('are you')
      await expect.poll(() => passedOver).toEqual(['transcriber unreadable'])
      server.fault = { is: 'add', message: novelty }
      server.final('are you open')
      await expect.poll(() => finalsOf(stream)).toEqual(['are you open'])
      expect(passedOver).toEqual(['transcriber unreadable', 'transcriber unknown'])
    })

    if (!suite.endsByItself)
      it('fails with a sentence when a malformed message may be the final that was asked for', async () => {
        const { server, listen } = await setUp()
        const stream = listen()
        const failure = failureOf(stream)
        await listening(server)
        for (let n = 0; n < 10; n++) speak(stream, 1_000)
        stream.finalize?.()
        await expect.poll(() => server.told).toContain('finalize')
        server.fault = { is: 'garble', message: nonsense }
        server.final('are you')
        expect((await failure).message).toBe(`${vendor.label} sent what cannot be read.`)
      })

    it('stays connected through a minute of silence', async () => {
      vi.useFakeTimers({ toFake: ['setInterval'] })
      const { server, listen } = await setUp()
      const stream = listen()
      void allOf(stream)
      await listening(server)
      const asked = server.asked.length
      for (let passedMs = 0; passedMs < minuteMs; passedMs += 5_000) {
        const before = server.roundTrips
        vi.advanceTimersByTime(5_000)
        await expect.poll(() => server.roundTrips).toBe(before + 1)
      }
      if (suite.idleMs !== undefined)
        expect(server.told.filter((what) => what === 'keep-alive').length).toBeGreaterThanOrEqual(
          Math.floor(minuteMs / suite.idleMs),
        )
      server.final('still there')
      await expect.poll(() => finalsOf(stream)).toEqual(['still there'])
      expect(server.asked.length).toBe(asked)
    })

    it('ends with the call, without an error, and tells the vendor', async () => {
      const { server, listen, stop } = await setUp()
      const stream = listen()
      const events = allOf(stream)
      // Sound arrives once the client's end is open, too; before that there is nobody to say good-bye to.
      for (let n = 0; n < 50; n++) speak(stream, 1_000)
      await expect.poll(() => server.sound.length).toBeGreaterThan(0)
      stop.abort()
      expect(await events).toEqual([])
      await expect.poll(() => server.connections.size).toBe(0)
      // A vendor whose utterances are committed is told no more than the last commit.
      expect(server.told).toEqual([expect.stringMatching(/^(bye|finalize)$/)])
    })
  })
}

function speak(stream: TranscriptStream, level: number): void {
  const frame = makeFrame(rateHz)
  frame.samples.fill(level)
  stream.write(frame)
}

const read = new WeakMap<TranscriptStream, TranscriptEvent[]>()

async function allOf(stream: TranscriptStream): Promise<readonly TranscriptEvent[]> {
  const events: TranscriptEvent[] = []
  read.set(stream, events)
  for await (const event of stream) if (event.type !== 'alive') events.push(event)
  return events
}

/** The finals among what `allOf` has read so far. */
const finalsOf = (stream: TranscriptStream): readonly string[] =>
  (read.get(stream) ?? []).flatMap((event) => (event.type === 'final' ? [event.text] : []))

const invalid = (credentials: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(credentials).map(([name, value]) => [name, /region/i.test(name) ? value : 'not-the-key']),
  )

async function failureOf(stream: AsyncIterable<unknown>): Promise<Error> {
  try {
    for await (const _ of stream);
  } catch (error) {
    return error as Error
  }
  throw new Error('it did not fail')
}
