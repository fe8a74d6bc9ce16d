// What every synthesizer must do, against a loopback server that speaks the vendor's own protocol: a test of a vendor is
// its server and one line.
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { SpokenWord, SynthesisEvent, SynthesizerOptions } from '../../../src/ports/synthesizer.ts'
import type { TtsVendor, VendorAccount } from '../../../src/ports/vendor.ts'
import { onPassedOver } from '../../../src/vendors/over/wire/passed-over.ts'
import { heardWords } from './spoken-words.ts'
import { usualNovelty } from './stt-suite.ts'
import { vendorCall } from './vendor-call.ts'
import type { VendorServer } from './vendor-server.ts'

export interface TtsServer extends VendorServer {
  /** What it was asked to say, in order, as it came. */
  readonly texts: string[]
  /** What else it was told: `flush`, `cancel`, `keep-alive` and so on. */
  readonly told: string[]
}

export interface TtsSuite {
  readonly vendor: TtsVendor
  /** The only credentials that the server accepts. */
  readonly credentials: Readonly<Record<string, string>>
  /** Well-formed but wrong; undefined: other texts will do. */
  readonly wrongCredentials?: Readonly<Record<string, string>>
  readonly open: () => Promise<TtsServer>
  readonly voice?: string
  /** Left out: the vendor's recommendation. */
  readonly model?: string
  /** Over HTTP there is no connection to keep. */
  readonly over: 'socket' | 'http'
  /** A silent client is disconnected after this; undefined: never. */
  readonly idleMs?: number
  /** A message that the vendor never sends; null: it sends no messages but sound. */
  readonly nonsense?: string | null
  /** A message of a type that the vendor may add some day; null: it sends no messages but sound. */
  readonly novelty?: string | null
}

const minuteMs = 60_000

export function synthesizerSuite(name: string, suite: TtsSuite): void {
  const { vendor, credentials, over, nonsense = '{"nonsense":' } = suite
  const { novelty = over === 'socket' ? usualNovelty : null } = suite
  const secret = Object.values(credentials)[0] as string
  const cleanups: (() => unknown)[] = []
  afterEach(async () => {
    vi.useRealTimers()
    for (const clean of cleanups.splice(0).reverse()) await clean()
  })

  const setUp = async (account: Partial<VendorAccount> = {}) => {
    const server = await suite.open()
    cleanups.push(() => server.close())
    const engine = vendor.open({ credentials, baseUrl: server.baseUrl, ...account })
    cleanups.push(() => engine.close?.())
    const options: SynthesizerOptions = {
      voice: suite.voice ?? '',
      language: 'en',
      rateHz: 8_000,
      ...(suite.model && { model: suite.model }),
    }
    const stop = new AbortController()
    const say = (...clauses: string[]) => {
      const stream = engine.open(options, stop.signal)
      for (const clause of clauses) {
        stream.write(clause)
        stream.flush()
      }
      return stream
    }
    return { server, engine, say, options, stop }
  }

  describe(`${name}, as a synthesizer`, () => {
    it('speaks in a call, and after an interruption nothing of the old sentence is heard', async () => {
      const { server, engine } = await setUp()
      const long = 'One two three four five six seven eight nine ten eleven twelve.'
      const phone = vendorCall({
        replies: ['We are open. Come in.', long, 'Very well.'],
        agent: { agent_welcome_message: 'Hello there.' },
        parts: { synthesizer: engine, voice: suite.voice ?? '' },
      })
      const { call, until } = phone
      await call.answer()
      await until(() => call.spoken().length === 1)
      await call.says('are you open')
      await until(() => call.spoken().length === 3)
      expect(phone.heard).toEqual(['Hello', 'there.', 'We', 'are', 'open.', 'Come', 'in.'])
      await call.says('count please')
      await until(() => phone.heard.includes('three'))
      await call.says('stop that please')
      await until(() => phone.heard.at(-1) === 'well.')
      const counted = phone.heard.slice(7, -2)
      expect(counted).toEqual(long.split(' ').slice(0, counted.length))
      expect(counted.length).toBeLessThan(10)
      await phone.stop()
      await expect.poll(() => server.connections.size).toBe(0)
    })

    it('delivers every frame of a slow vendor', async () => {
      const { server, say } = await setUp()
      server.fault = { is: 'delay', ms: 30 }
      const stream = say('Slow but sure.')
      stream.finish()
      expect(await heardFrom(stream)).toEqual(['Slow', 'but', 'sure.'])
    })

    it('leaves nothing of a cancelled saying in the next', async () => {
      const { say } = await setUp()
      const first = say('Never mind this one.')
      const events = first[Symbol.asyncIterator]()
      await events.next()
      first.cancel()
      expect((await events.next()).done).toBe(true)
      const second = say('This one.')
      second.finish()
      expect(await heardFrom(second)).toEqual(['This', 'one.'])
    })

    it.each([
      [401, 'an invalid key'],
      [429, 'too many requests'],
    ])('answers %s (%s) with a sentence without the key', async (status) => {
      const { server, say } = await setUp(
        status === 401 ? { credentials: suite.wrongCredentials ?? invalid(credentials) } : {},
      )
      if (status !== 401) server.fault = { is: 'refuse', status }
      const stream = say('Anything.')
      stream.finish()
      const error = await failureOf(stream)
      expect(error.message).toContain(vendor.label)
      expect(error.message).toContain(`${status}`)
      expect(error.message).not.toContain(secret)
      expect(error.message).not.toContain('not-the-key')
    })

    it('fails with a sentence when the vendor breaks off', async () => {
      const { server, say } = await setUp()
      server.fault = { is: 'break', after: 2 }
      const stream = say('One two three four.')
      stream.finish()
      expect((await failureOf(stream)).message).toMatch(new RegExp(`^${vendor.label} .+[.]$`))
    })

    // Raw sound can be anything.
    if (nonsense !== null)
      it('fails with a sentence when a message is malformed', async () => {
        const { server, say } = await setUp()
        server.fault = { is: 'garble', message: nonsense }
        const stream = say('Anything.')
        stream.finish()
        expect((await failureOf(stream)).message).toBe(`${vendor.label} sent what cannot be read.`)
      })

    if (novelty !== null)
      it('speaks on when a message is of a type that the vendor has added', async () => {
        const { server, say } = await setUp()
        const passedOver: string[] = []
        const counting = onPassedOver(({ company, service, reason }) => {
          if (company === vendor.label) passedOver.push(`${service} ${reason}`)
        })
        cleanups.push(() => counting.stop())
        server.fault = { is: 'add', message: novelty }
        const stream = say('Nothing new.')
        stream.finish()
        expect(await heardFrom(stream)).toEqual(['Nothing', 'new.'])
        expect(passedOver).toEqual(['synthesizer unknown'])
      })

    if (vendor.abilities.wordTimes)
      it('tells when each word is heard, from the first sound', async () => {
        const { say } = await setUp()
        const stream = say('We are', 'open today.')
        stream.finish()
        const words: SpokenWord[] = []
        for await (const event of stream) if (event.type === 'words') words.push(...event.words)
        expect(words.map(({ text, startMs }) => [text.replace('.', ''), startMs])).toEqual([
          ...[
            ['We', 0],
            ['are', 200],
            ['open', 400],
            ['today', 600],
          ],
        ])
      })

    it('speaks on after the vendor has closed an idle connection', async () => {
      const { server, engine, options, say, stop } = await setUp()
      await engine.warm?.(options, stop.signal)
      const first = say('One moment.')
      first.finish()
      expect(await heardFrom(first)).toEqual(['One', 'moment.'])
      server.hangUp()
      await expect.poll(() => server.connections.size).toBe(0)
      const second = say('Here I am.')
      second.finish()
      expect(await heardFrom(second)).toEqual(['Here', 'I', 'am.'])
    })

    if (over === 'http') {
      it('is connected before it is asked to speak, and asks over the same connection', async () => {
        const { server, engine, options, say, stop } = await setUp()
        await engine.warm?.(options, stop.signal)
        // A connection is free a little after the end of its answer.
        await new Promise((free) => setImmediate(free))
        const stream = say('Still here.')
        stream.finish()
        expect(await heardFrom(stream)).toEqual(['Still', 'here.'])
        expect(server.dialled).toBe(1)
      })
      return
    }

    it('is connected before it is asked to speak, and stays so through a minute of silence', async () => {
      vi.useFakeTimers({ toFake: ['setInterval'] })
      const { server, engine, options, say, stop } = await setUp()
      await engine.warm?.(options, stop.signal)
      expect(server.connections.size).toBe(1)
      for (let passedMs = 0; passedMs < minuteMs; passedMs += 5_000) {
        const before = server.roundTrips
        vi.advanceTimersByTime(5_000)
        await expect.poll(() => server.roundTrips).toBe(before + 1)
      }
      if (suite.idleMs !== undefined)
        expect(server.told.filter((what) => what === 'keep-alive').length).toBeGreaterThanOrEqual(
          Math.floor(minuteMs / suite.idleMs),
        )
      const stream = say('Still here.')
      stream.finish()
      expect(await heardFrom(stream)).toEqual(['Still', 'here.'])
      expect(server.asked.length).toBe(1)
    })

    it('closes its connections with the call', async () => {
      const { server, engine, say } = await setUp()
      const stream = say('Good-bye.')
      stream.finish()
      await heardFrom(stream)
      engine.close?.()
      await expect.poll(() => server.connections.size).toBe(0)
    })
  })
}

export async function heardFrom(stream: AsyncIterable<SynthesisEvent>): Promise<readonly string[]> {
  const samples: number[] = []
  for await (const event of stream)
    if (event.type === 'frame') samples.push(event.frame.samples[event.frame.samples.length / 2] ?? 0)
  return heardWords(samples)
}

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
