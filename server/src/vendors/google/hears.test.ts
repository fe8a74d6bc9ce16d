// Google's transcriber over gRPC: whole calls, failures, and the streams that follow each other in a call.
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { type GoogleServer, openGoogleStt } from '../../../test/props/vendors/google-stt.ts'
import { inJson, transcriberLanguages } from '../../../test/props/vendors/language-suite.ts'
import { transcriberSettings } from '../../../test/props/vendors/settings-suite.ts'
import { vendorCall } from '../../../test/props/vendors/vendor-call.ts'
import { levelsOf } from '../../../test/props/vendors/word-ears.ts'
import { type Frame, makeFrame } from '../../media/frame.ts'
import type { TranscriptEvent, TranscriptStream } from '../../ports/transcriber.ts'
import type { VendorAccount } from '../../ports/vendor.ts'
import { hears as google } from './hears.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
const serviceAccount = JSON.stringify({
  project_id: 'shop',
  client_email: 'parley@shop.example.com',
  private_key: pem,
})

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

/** A token that the service account signed for this host. */
function isSigned(token: string): boolean {
  const [head = '', claims = '', signature = ''] = token.split('.')
  const { iss, aud } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const key = createPublicKey(publicKey.export({ type: 'spki', format: 'pem' }))
  const isValid = verify(
    'RSA-SHA256',
    Buffer.from(`${head}.${claims}`),
    key,
    Buffer.from(signature, 'base64url'),
  )
  return isValid && iss === 'parley@shop.example.com' && aud === 'https://speech.googleapis.com/'
}

async function setUp(account: Partial<VendorAccount> = {}) {
  const server = await openGoogleStt(isSigned)
  cleanups.push(() => server.close())
  const engine = google.open({ credentials: { serviceAccount }, baseUrl: server.baseUrl, ...account })
  const stop = new AbortController()
  cleanups.push(() => stop.abort())
  const events: TranscriptEvent[] = []
  const listen = () =>
    engine.open({ model: '', language: 'en', rateHz: 8_000, endpointingMs: 500 }, stop.signal)
  const read = async (stream: TranscriptStream) => {
    for await (const event of stream) events.push(event)
    return events
  }
  return { server, engine, listen, read, events, stop }
}

const connected = (server: GoogleServer) => expect.poll(() => server.streams.size).toBe(1)

function say(stream: TranscriptStream, levels: readonly number[]): void {
  const frame: Frame = makeFrame(8_000)
  for (const level of levels) {
    frame.samples.fill(level)
    stream.write(frame)
  }
}

const silence = (ms: number): readonly number[] => Array<number>(ms / 20).fill(0)
const finals = (events: readonly TranscriptEvent[]) =>
  events.flatMap((event) => (event.type === 'final' ? [event.text] : []))

describe('Google, as a transcriber', () => {
  it('hears a caller through a whole call, one stream after the other', async () => {
    const { server, engine } = await setUp()
    server.understands = true
    const phone = vendorCall({ replies: ['Yes.', 'Good-bye.'], parts: { transcriber: engine } })
    const { call, until } = phone
    await call.answer()
    for (const [turn, words] of [['one', 'two'], ['three']].entries()) {
      call.detector.tell('speech-start')
      for (const level of levelsOf(words)) {
        call.line.bring(level)
        await call.tick()
      }
      call.detector.tell('speech-end')
      await until(() => call.spoken().length === 2 * (turn + 1))
    }
    expect(call.spoken()).toEqual(['user: one two', 'agent: Yes.', 'user: three', 'agent: Good-bye.'])
    await phone.stop()
    await expect.poll(() => server.streams.size).toBe(0)
  })

  it('is connected before it is wanted, and listens over the same connection', async () => {
    const { server, engine, listen, read, stop } = await setUp()
    await engine.warm?.({ model: '', language: 'en', rateHz: 8_000, endpointingMs: 500 }, stop.signal)
    await expect.poll(() => server.dialled).toBe(1)
    const reading = read(listen())
    await connected(server)
    stop.abort()
    expect(await reading).toEqual([])
    expect(server.dialled).toBe(1)
  })

  it('delivers the words of a slow vendor, and the last ones after the end', async () => {
    const { server, listen, read, events } = await setUp()
    const stream = listen()
    const reading = read(stream)
    say(stream, silence(100))
    await connected(server)
    server.fault = { is: 'delay', ms: 30 }
    server.partial('good')
    await expect.poll(() => events.length).toBe(1)
    stream.finish()
    await expect.poll(() => server.told).toEqual(['finalize'])
    server.final('good-bye')
    await expect.poll(() => finals(events)).toEqual(['good-bye'])
    for (const open of server.streams) open.end()
    await reading
  })

  it.each([
    [401, 'UNAUTHENTICATED'],
    [429, 'RESOURCE_EXHAUSTED'],
  ])('answers %s with a sentence without the key', async (status, name) => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey
    const stolen = JSON.stringify({
      ...JSON.parse(serviceAccount),
      private_key: other.export({ type: 'pkcs8', format: 'pem' }),
    })
    const { server, listen, read } = await setUp(
      status === 401 ? { credentials: { serviceAccount: stolen } } : {},
    )
    if (status === 429) server.fault = { is: 'refuse', status }
    await expect(read(listen())).rejects.toThrow(
      `Google answered ${status} ${name}: Request had invalid credentials.`,
    )
  })

  it.each([
    ['no JSON', 'nonsense', 'The service account of Google must be its JSON file'],
    [
      'no key',
      JSON.stringify({ project_id: 'shop', client_email: 'x', private_key: 'nonsense' }),
      'is not a key.',
    ],
  ])('fails with a sentence when the service account is %s', async (_, wrong, sentence) => {
    const { listen, read } = await setUp({ credentials: { serviceAccount: wrong } })
    const failure = await read(listen()).catch((error: Error) => error.message)
    expect(failure).toContain(sentence)
    expect(failure).not.toContain('nonsense')
  })

  it('fails with a sentence when the vendor breaks off in the middle', async () => {
    const { server, listen, read } = await setUp()
    const reading = read(listen())
    await connected(server)
    for (const stream of server.streams) stream.close(2)
    await expect(reading).rejects.toThrow(/^Google .+[.]$/)
  })

  it('fails with a sentence when a message is malformed', async () => {
    const { server, listen, read } = await setUp()
    const reading = read(listen())
    await connected(server)
    server.fault = { is: 'garble', message: '\u0032\u007f' }
    server.partial('are you')
    await expect(reading).rejects.toThrow('Google sent what cannot be read.')
  })

  it('ends with the call, without an error', async () => {
    const { server, listen, read, stop } = await setUp()
    const reading = read(listen())
    await connected(server)
    stop.abort()
    expect(await reading).toEqual([])
    await expect.poll(() => server.streams.size).toBe(0)
  })

  it('opens another stream at a pause after four minutes, and hears on', async () => {
    const { server, listen, read, events } = await setUp()
    server.understands = true
    const stream = listen()
    void read(stream)
    say(stream, silence(239_900))
    expect(server.settings.length).toBeLessThanOrEqual(1)
    say(stream, silence(200))
    await expect.poll(() => server.settings.length).toBe(2)
    say(stream, levelsOf(['one', 'two']))
    stream.finalize?.()
    await expect.poll(() => finals(events).filter(Boolean)).toEqual(['one two'])
    const final = events.findLast((event) => event.type === 'final')
    // Positions are those of the call.
    const endMs = expect.closeTo(240_350, -2)
    expect(final).toMatchObject({ endMs, words: [{ text: 'one' }, { text: 'two', endMs }] })
  })

  it('gives a sentence that goes on until the limit to another stream as a whole', async () => {
    const { server, listen, read, events } = await setUp()
    const stream = listen()
    void read(stream)
    say(stream, silence(239_000))
    await expect.poll(() => server.sound.length).toBeGreaterThan(0)
    server.partial('one')
    await expect.poll(() => events.length).toBe(1)
    say(stream, silence(36_000))
    // The next sentence begins at once: there is no pause in which the stream could be replaced.
    server.final('one')
    server.partial('two')
    await expect.poll(() => events.length).toBe(3)
    await expect.poll(() => server.sound.length).toBe(275 * 8_000)
    server.understands = true
    say(stream, [...levelsOf(['two']), ...silence(15_000)])
    await expect.poll(() => server.settings.length).toBe(2)
    say(stream, levelsOf(['three']))
    stream.finalize?.()
    await expect.poll(() => finals(events)).toEqual(['one', 'two three'])
  })

  it('asks for the words of a sentence that is longer than sound is kept, and loses none', async () => {
    const { server, listen, read, events } = await setUp()
    server.understands = true
    const stream = listen()
    void read(stream)
    say(stream, silence(235_000))
    say(stream, levelsOf(['one']))
    await expect.poll(() => events).toContainEqual({ type: 'partial', text: 'one' })
    say(stream, silence(44_000))
    say(stream, levelsOf(['two']))
    await expect.poll(() => events).toContainEqual({ type: 'partial', text: 'one two' })
    say(stream, silence(30_000))
    await expect.poll(() => server.settings.length).toBe(2)
    say(stream, levelsOf(['three']))
    stream.finalize?.()
    await expect.poll(() => finals(events)).toEqual(['one two', 'three'])
  })
})

const transcriber = { vendor: google, credentials: { serviceAccount }, open: () => openGoogleStt() }

transcriberSettings({
  ...transcriber,
  usually: {
    recognizer: 'projects/shop/locations/global/recognizers/_',
    model: 'long',
    languages: ['en-US'],
    encoding: 1,
    rateHz: 16_000,
    interim: 1,
    sensitivity: 3,
    phrases: [],
  },
  rows: [
    [{ model: 'telephony' }, { model: 'telephony' }],
    [{ language: 'hi' }, { languages: ['hi-IN'] }],
    [
      { language: 'auto' },
      { languages: ['auto'], model: 'chirp_3', recognizer: 'projects/shop/locations/us/recognizers/_' },
    ],
    [{ samplingRateHz: 8_000 }, { rateHz: 8_000 }],
    [{ encoding: 'mulaw' }, { encoding: 2 }],
    [{ endpointingMs: 200 }, { sensitivity: 2 }],
    [{ endpointingMs: 2_000 }, { sensitivity: 1 }],
    [{ task: 'translate' }, { translation: 'en-US' }],
    [{ keyterms: ['Maple', 'x'.repeat(101), 'Nguyen'] }, { phrases: ['Maple', 'Nguyen'] }],
  ],
})

transcriberLanguages(transcriber, {
  where: inJson('languages'),
  written: 'en-US,en-US,pt-BR,hi-IN,cmn-Hans-CN,pt-BR,pt-BR,de-AT,auto',
})
