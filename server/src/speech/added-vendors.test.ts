// Speech vendors: described for every name of the contract, and whole calls with a fictitious thirteenth of each kind
// added from outside, over real sockets.
import { setTimeout as sleep } from 'node:timers/promises'
import { synthesizerNames, transcriberNames } from '@parley/contract/companies'
import { afterEach, describe, expect, it } from 'vitest'
import { rehearse } from '../../test/props/call/rehearsal.ts'
import { acme, openAcmeServer } from '../../test/props/vendors/acme-stt.ts'
import { openZenithServer, sampleOf, zenithVendor } from '../../test/props/vendors/zenith-tts.ts'
import { makeFrame } from '../media/frame.ts'
import type { TranscriptEvent } from '../ports/transcriber.ts'
import type { SttVendor, TtsVendor } from '../ports/vendor.ts'
import { sttVendors, ttsVendors } from '../vendors/index.ts'
import { chooseEngine } from './choose-engines.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const apiKey = 'good'
const endpointingMs = 500
const rateHz = 8_000

async function openServers() {
  const [hears, speaks] = await Promise.all([openAcmeServer(apiKey), openZenithServer()])
  cleanups.push(
    () => hears.close(),
    () => speaks.close(),
  )
  return { hears, speaks }
}

describe('every name of the contract', () => {
  it.each([
    ['transcriber', transcriberNames, sttVendors],
    ['synthesizer', synthesizerNames, ttsVendors],
  ] as const)('of a %s has a row with its abilities and credentials', (_, names, vendors) => {
    expect(Object.keys(vendors).toSorted()).toEqual(names.toSorted())
    for (const { label, host, credentials, optionalCredentials = [], abilities } of Object.values<
      SttVendor | TtsVendor
    >(vendors)) {
      expect(label).toMatch(/^[A-Z]/)
      const own = typeof host === 'function' ? host({ region: 'eu' }) : host
      expect(new URL(`https://${own}`).host).toBe(own)
      expect([...credentials, ...optionalCredentials].length).toBeGreaterThan(0)
      expect(abilities.languages).not.toEqual([])
    }
  })
})

/** A call whose transcriber and synthesizer are the fictitious vendors, chosen as in any call. */
async function callWith({ clauseEnds = true, replies = ['Yes.'] as readonly string[], welcome = '' } = {}) {
  const { hears, speaks } = await openServers()
  const accounts = {
    acme: { credentials: { apiKey }, baseUrl: hears.baseUrl },
    zenith: { credentials: { apiKey }, baseUrl: speaks.baseUrl },
  }
  const vendors = { stt: { ...sttVendors, acme }, tts: { ...ttsVendors, zenith: zenithVendor(clauseEnds) } }
  const shared = { language: 'en', accounts, fallback: 'fail' } as const
  const embedded = { used: 'offline', languages: ['en'] }
  const ears = chooseEngine({ ...shared, part: 'transcriber', asked: 'acme', vendors: vendors.stt, embedded })
  const voice = chooseEngine({
    ...shared,
    part: 'synthesizer',
    asked: 'zenith',
    vendors: vendors.tts,
    embedded,
  })
  expect([ears.engine, voice.engine]).toEqual([
    { is: 'vendor', name: 'acme' },
    { is: 'vendor', name: 'zenith' },
  ])
  const transcriber = vendors.stt.acme.open(accounts.acme)
  const synthesizer = vendors.tts.zenith.open(accounts.zenith)
  const call = rehearse({
    agent: { agent_welcome_message: welcome, transcriber: { keywords: 'Maple' } },
    task: { optimize_latency: false, check_if_user_online: false, hangup_after_silence: 0 },
    replies,
    parts: { transcriber, synthesizer },
  })
  // Ticked by hand, a little slower than the sockets.
  const until = async (condition: () => boolean, mostTicks = 20_000) => {
    for (let n = 0; n < mostTicks && !condition(); n++) {
      await call.tick()
      await sleep(4)
    }
    if (!condition()) throw new Error('it did not happen')
  }
  const says = async (words: string) => {
    const asked = hears.told.length
    call.detector.tell('speech-start')
    await until(() => hears.connections.size > 0)
    hears.send({ partial: words })
    for (let n = 0; n < 30; n++) await call.tick()
    call.detector.tell('speech-end')
    await until(() => hears.told.slice(asked).includes('finalize'))
    hears.send({ final: words })
  }
  const hearsWord = (word: string) => call.line.sent.includes(sampleOf(word))
  await call.answer()
  return { call, hears, speaks, until, says, hearsWord }
}

describe('a call with vendors from outside', () => {
  it('transcribes over one socket and synthesizes over another, clause by clause', async () => {
    const { call, hears, speaks, until, says, hearsWord } = await callWith({
      replies: ['We are open. Come in.'],
      welcome: 'Hello there.',
    })
    await until(() => call.spoken().length === 1)
    await says('are you open')
    await until(() => hearsWord('in.'))
    await until(() => call.spoken().length === 3)
    expect(call.spoken()).toEqual([
      'agent: Hello there.',
      'user: are you open',
      'agent: We are open. Come in.',
    ])
    expect(speaks.told).toEqual([
      ...['Hello there.', 'flush', 'end'],
      ...['We are open.', 'flush', 'Come in.', 'flush', 'end'],
    ])
    expect(hears.soundBytes).toBeGreaterThan(320 * 20)
    expect(hears.urls).toEqual(['/listen?model=nova-2&rate=16000&terms=Maple'])
    call.session.stop('api')
    await until(() => call.isOver)
    await expect.poll(() => hears.connections.size + speaks.connections.size).toBe(0)
  })

  it.each([
    ['that marks clause ends', true],
    ['that does not', false],
  ])(
    'cancels a synthesizer %s when the caller interrupts, and keeps the words heard by their times',
    async (_, clauseEnds) => {
      const reply = 'One two three four five six seven eight nine ten.'
      const { call, hears, speaks, until, says, hearsWord } = await callWith({
        clauseEnds,
        replies: [reply, 'Okay.'],
      })
      speaks.mostWords = 6
      await says('count please')
      await until(() => hearsWord('four'))
      call.detector.tell('speech-start')
      hears.send({ partial: 'stop that please' })
      await until(() => speaks.told.includes('cancel'))
      await until(() => call.spoken().length >= 2)
      // Half of a word that was cut off is enough.
      const framesOf = (word: string) => call.line.sent.filter((sample) => sample === sampleOf(word)).length
      const heard = reply.split(' ').filter((word) => framesOf(word) >= 5)
      expect(heard.length).toBeGreaterThanOrEqual(3)
      expect(call.spoken()[1]).toBe(`agent: ${heard.join(' ')}`)
      expect(hearsWord('ten.')).toBe(false)
      await expect.poll(() => speaks.connections.size).toBe(0)
    },
  )

  it('whose transcriber disconnects is reopened, and ends with the vendor’s sentence the second time', async () => {
    const { call, hears, until } = await callWith()
    await until(() => hears.connections.size === 1)
    for (const client of hears.connections) client.close(1011, 'no more')
    await until(() => hears.urls.length === 2 && hears.connections.size === 1)
    expect(call.notes()).toEqual([
      'The speech recognizer failed and was opened again: Acme closed the connection (1011: no more).',
    ])
    for (const client of hears.connections) client.terminate()
    await until(() => call.isOver)
    expect(call.outcome).toMatchObject({
      status: 'failed',
      hangupReason: 'stt_error',
      errorMessage: 'Acme closed the connection (1006).',
    })
  })

  it('whose synthesizer breaks off once is heard completely, without a repeated frame', async () => {
    const { call, speaks, until, says } = await callWith({ replies: ['We are open.'] })
    speaks.breaks = 1
    await says('are you open')
    await until(() => call.spoken().length === 2)
    expect(call.spoken()).toEqual(['user: are you open', 'agent: We are open.'])
    const frames = ['We', 'are', 'open.'].map(
      (word) => call.line.sent.filter((sample) => sample === sampleOf(word)).length,
    )
    expect(frames).toEqual([10, 10, 10])
  })

  it('whose synthesizer keeps breaking off ends with the vendor’s sentence', async () => {
    const { call, speaks, until, says } = await callWith({ replies: ['We are open.'] })
    speaks.breaks = 100
    await says('are you open')
    await until(() => call.isOver)
    expect(call.outcome).toMatchObject({
      status: 'failed',
      hangupReason: 'tts_error',
      errorMessage: 'Zenith closed the connection (1011: out of breath).',
    })
  })
})

describe('an audio stream to a vendor', () => {
  const open = (baseUrl: string, key = apiKey) => {
    const stop = new AbortController()
    const stream = acme
      .open({ credentials: { apiKey: key }, baseUrl })
      .open({ model: 'm', rateHz, endpointingMs }, stop.signal)
    return { stream, stop }
  }
  const allOf = async (stream: AsyncIterable<TranscriptEvent>) => {
    const events: TranscriptEvent[] = []
    for await (const event of stream) events.push(event)
    return events
  }

  it('sends what was said while it connected, and ends with the last words after the closing message', async () => {
    const { hears } = await openServers()
    const { stream } = open(hears.baseUrl)
    for (let n = 0; n < 10; n++) stream.write(makeFrame(rateHz))
    stream.finish()
    const events = allOf(stream)
    await expect.poll(() => hears.told).toEqual(['bye'])
    expect(hears.soundBytes).toBe(3_200)
    hears.send({ final: 'good-bye' })
    for (const client of hears.connections) client.close(1000)
    expect(await events).toEqual([{ type: 'final', text: 'good-bye' }])
  })

  it('keeps a silent connection alive', async () => {
    const { hears } = await openServers()
    const { stop } = open(hears.baseUrl)
    await expect.poll(() => hears.told).toEqual(expect.arrayContaining(['alive', 'alive']))
    stop.abort()
    await expect.poll(() => hears.connections.size).toBe(0)
  })

  it('detects a vendor that no longer responds', async () => {
    const hears = await openAcmeServer(apiKey, false)
    cleanups.push(() => hears.close())
    await expect(allOf(open(hears.baseUrl).stream)).rejects.toThrow('Acme fell silent.')
  })

  it('ends with the call, without an error', async () => {
    const { hears } = await openServers()
    const { stream, stop } = open(hears.baseUrl)
    const events = allOf(stream)
    await expect.poll(() => hears.connections.size).toBe(1)
    stop.abort()
    expect(await events).toEqual([])
  })

  it.each([
    ['refuses the key', 'Acme refused the connection (401): Unauthorized.'],
    ['is unreachable', 'Acme cannot be reached (ECONNREFUSED).'],
  ])('fails with a sentence without secrets when the vendor %s', async (what, sentence) => {
    const { hears } = await openServers()
    if (what === 'is unreachable') await hears.close()
    await expect(allOf(open(hears.baseUrl, 'bad-secret').stream)).rejects.toThrow(sentence)
  })

  it('fails with a sentence when an invalid message may be the final that it waits for', async () => {
    const { hears } = await openServers()
    const { stream } = open(hears.baseUrl)
    const events = allOf(stream)
    events.catch(() => {})
    await expect.poll(() => hears.connections.size).toBe(1)
    stream.finalize?.()
    hears.send({ partial: 1 })
    await expect(events).rejects.toThrow('Acme sent what cannot be read.')
  })
})
