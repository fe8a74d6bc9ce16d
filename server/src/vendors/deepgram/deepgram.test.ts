// Deepgram against servers that speak its protocols.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { openDeepgramFlux, openDeepgramStt } from '../../../test/props/vendors/deepgram-stt.ts'
import { openDeepgramTts } from '../../../test/props/vendors/deepgram-tts.ts'
import {
  inQuery,
  synthesizerLanguages,
  transcriberLanguages,
} from '../../../test/props/vendors/language-suite.ts'
import { transcriberSuite } from '../../../test/props/vendors/stt-suite.ts'
import { heardFrom, synthesizerSuite } from '../../../test/props/vendors/tts-suite.ts'
import { turnSuite } from '../../../test/props/vendors/turn-suite.ts'
import { queryOf, vendorTalk } from '../../../test/props/vendors/vendor-talk.ts'
import { makeFrame } from '../../media/frame.ts'
import type { SynthesizerOptions } from '../../ports/synthesizer.ts'
import { checkVendor } from '../over/check-vendor.ts'
import { hears } from './hears.ts'
import { speaks } from './speaks.ts'

const apiKey = 'secret-of-the-vendor'
const credentials = { apiKey }
const { cleanups, listen, say } = vendorTalk()

transcriberSuite('Deepgram Nova', {
  vendor: hears,
  credentials,
  over: 'socket',
  model: 'nova-3',
  idleMs: 10_000,
  open: () => openDeepgramStt(apiKey),
})
transcriberSuite('Deepgram Flux', {
  vendor: hears,
  credentials,
  over: 'socket',
  model: 'flux-general-en',
  idleMs: 10_000,
  tellsTimes: false,
  open: () => openDeepgramFlux(apiKey),
})
turnSuite('Deepgram Flux', {
  vendor: hears,
  credentials,
  model: 'flux-general-en',
  detection: { isEager: true, longestSilenceMs: 5_000 },
  tellsLikely: true,
  open: () => openDeepgramFlux(apiKey),
})
synthesizerSuite('Deepgram', {
  vendor: speaks,
  credentials,
  over: 'socket',
  open: () => openDeepgramTts(apiKey),
})

synthesizerSuite('Deepgram Flux', {
  vendor: speaks,
  credentials,
  over: 'socket',
  model: 'flux',
  open: () => openDeepgramTts(apiKey),
})

transcriberLanguages(
  { vendor: hears, credentials, open: () => openDeepgramStt(apiKey) },
  {
    where: inQuery('language'),
    written: 'en,en-US,pt-BR,hi,zh,pt-BR,pt,de,multi',
  },
)
synthesizerLanguages(
  { vendor: speaks, credentials, open: () => openDeepgramTts(apiKey) },
  {
    where: /model=aura-2-\w+-(\w+)/,
    written: 'en,en,-,-,-,-,-,de,en',
  },
)

describe('settings of an agent, at Deepgram as a transcriber', () => {
  it('are in the address', async () => {
    const { query, server, stream } = await listen(hears, openDeepgramStt(apiKey), {
      model: 'nova-3',
      language: 'de',
      samplingRateHz: 8_000,
      encoding: 'mulaw',
      keyterms: ['Maple', 'Oak'],
    })
    expect(Object.fromEntries(query)).toMatchObject({
      model: 'nova-3',
      language: 'de',
      encoding: 'mulaw',
      sample_rate: '8000',
      endpointing: '700',
    })
    expect(query.getAll('keyterm')).toEqual(['Maple', 'Oak'])
    const frame = makeFrame(8_000)
    frame.samples.fill(1_000)
    stream.write(frame)
    await expect.poll(() => server.sound.length).toBe(160)
    expect(server.sound[0]).toBeCloseTo(1_000, -2)
  })

  it('are no more keyterms than there are tokens for', async () => {
    const keyterms = Array.from({ length: 90 }, (_, n) => `Chief Inspector ${n}`)
    const { query } = await listen(hears, openDeepgramStt(apiKey), { model: 'nova-3', keyterms })
    expect(query.getAll('keyterm')).toEqual(keyterms.slice(0, 83))
  })

  it('a refusal is told in the words of its own header, in a call and in the check of a key', async () => {
    const http = createServer()
    const why = { 'dg-error': `Project does not have access for ${apiKey}.` }
    http.on('request', (_, response) => response.writeHead(403, why).end('{"err_msg":"no"}'))
    http.on('upgrade', (_, socket) => socket.end(`HTTP/1.1 403 No\r\ndg-error: ${why['dg-error']}\r\n\r\n`))
    await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready))
    cleanups.push(() => http.close())
    const account = { credentials, baseUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}` }
    const options = { model: '', rateHz: 8_000, endpointingMs: 500 } as const
    const stream = hears.open(account).open(options, new AbortController().signal)
    const sentence = 'Project does not have access for ….'
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toThrow(
      `Deepgram refused the connection (403): ${sentence}`,
    )
    expect(await checkVendor('Deepgram', account, await hears.check?.(account))).toMatchObject({
      ok: false,
      message: `Refused: 403: ${sentence}`,
    })
  })

  it('older models have keywords, and any language is `multi`', async () => {
    const { query, events, server } = await listen(hears, openDeepgramStt(apiKey, ['es']), {
      model: 'nova-2',
      language: 'auto',
      keyterms: ['Maple'],
    })
    expect(query.getAll('keywords')).toEqual(['Maple'])
    expect(query.get('language')).toBe('multi')
    server.final('hola')
    await expect
      .poll(() => events)
      .toEqual([
        { type: 'language', language: 'es' },
        expect.objectContaining({ type: 'final', text: 'hola', confidence: 0.98 }),
      ])
  })

  it('parts of an utterance that are settled are kept until it is over', async () => {
    const { server, stream, events } = await listen(hears, openDeepgramStt(apiKey), { model: 'nova-3' })
    const settled = { type: 'Results', is_final: true, speech_final: false }
    for (const client of server.connections)
      client.send(JSON.stringify({ ...settled, channel: { alternatives: [{ transcript: 'my number' }] } }))
    server.partial('is five')
    stream.finalize?.()
    await expect.poll(() => server.told).toEqual(['finalize'])
    server.final('is five six')
    await expect.poll(() => events.at(-1)).toMatchObject({ type: 'final', text: 'my number is five six' })
    expect(events.map((event) => 'text' in event && event.text)).toEqual([
      ...['my number', 'my number is five', 'my number is five six'],
    ])
  })

  it('of Flux are those of turns', async () => {
    const { query } = await listen(hears, openDeepgramFlux(apiKey), {
      model: 'flux-general-multi',
      language: 'es-MX',
      endpointingMs: 300,
      keyterms: ['Maple'],
    })
    expect(Object.fromEntries(query)).toEqual({
      model: 'flux-general-multi',
      encoding: 'linear16',
      sample_rate: '8000',
      eot_threshold: '0.63',
      eager_eot_threshold: '0.43',
      eot_timeout_ms: '3000',
      keyterm: 'Maple',
      language_hint: 'es',
    })
  })

  it.each([
    [500, ['0.7', '0.5', '5000']],
    [1_000, ['0.8', '0.6', '8000']],
    [40, ['0.5', '0.3', '500']],
    [9_000, ['0.9', '0.7', '8000']],
  ])('an endpointing of %i ms is the patience of Flux', async (endpointingMs, asked) => {
    const { query } = await listen(hears, openDeepgramFlux(apiKey), {
      model: 'flux-general-en',
      endpointingMs,
    })
    const names = ['eot_threshold', 'eager_eot_threshold', 'eot_timeout_ms']
    expect(names.map((name) => query.get(name))).toEqual(asked)
  })

  it('Flux ends no turn by itself for an agent that leaves it to the call', async () => {
    const { query, server, stream } = await listen(hears, openDeepgramFlux(apiKey), {
      model: 'flux-general-en',
      turnDetection: 'call',
    })
    expect(query.get('eot_threshold')).toBe('1')
    expect(query.has('eager_eot_threshold')).toBe(false)
    stream.finalize?.()
    await expect.poll(() => server.told).toEqual(['finalize'])
  })

  it('Nova detects no turns: an agent that asks for it is told so', () => {
    expect(hears.lacks?.({ model: 'nova-3', turnDetection: 'engine' })).toEqual(['turnDetection'])
    expect(hears.lacks?.({ model: 'flux-general-en', turnDetection: 'engine' })).toEqual([])
    const { detectsTurns } = hears.open({ credentials })
    expect(detectsTurns?.({ model: 'nova-3', rateHz: 8_000, endpointingMs: 500 })).toBeUndefined()
  })
})

describe('settings of an agent, at Deepgram as a synthesizer', () => {
  it.each<[Partial<SynthesizerOptions>, string]>([
    [{}, 'aura-2-thalia-en'],
    [{ voice: 'Asteria', model: 'aura' }, 'aura-asteria-en'],
    [{ voice: 'celeste', language: 'es-MX' }, 'aura-2-celeste-es'],
    [{ voice: 'x', voiceId: 'aura-2-orion-en' }, 'aura-2-orion-en'],
    [{ model: 'aura-2-luna-en' }, 'aura-2-luna-en'],
    [{ model: 'aura-2-luna-en', voice: 'orion' }, 'aura-2-orion-en'],
    [{ model: 'flux' }, 'flux-haley-en'],
    [{ model: 'flux', language: 'fr' }, 'aura-2-agathe-fr'],
    [{ model: 'flux', voice: 'Bruce', language: 'en-GB' }, 'flux-bruce-en'],
    [{ voice: 'flux-kai-en' }, 'flux-kai-en'],
    [{ model: 'flux-wes-en' }, 'flux-wes-en'],
  ])('%o is the model %s', async (options, model) => {
    const { server } = await say(speaks, openDeepgramTts(apiKey), options)
    expect(queryOf(server)).toEqual({ model, encoding: 'linear16', sample_rate: '8000' })
  })

  it('are the speed and pronunciations', async () => {
    const { server } = await say(speaks, openDeepgramTts(apiKey), {
      speed: 0.9,
      pronunciations: [{ written: 'Nguyen', ipa: 'wɪn' }],
    })
    expect(queryOf(server)).toMatchObject({ speed: '0.9' })
    expect(server.texts).toEqual(['Ask for \\{"word": "Nguyen", "pronounce": "wɪn"\\}. '])
  })

  it('of a Flux voice are a speed in its steps, and no pronunciations', async () => {
    const { server } = await say(speaks, openDeepgramTts(apiKey), {
      model: 'flux',
      speed: 0.63,
      pronunciations: [{ written: 'Nguyen', ipa: 'wɪn' }],
    })
    expect(server.asked.at(-1)?.url.pathname).toBe('/v2/speak')
    expect(queryOf(server)).toMatchObject({ speed: '0.65' })
    expect(server.texts).toEqual(['Ask for Nguyen. '])
    expect(speaks.lacks?.({ model: 'flux' })).toEqual(['pronunciations'])
    expect(speaks.lacks?.({ model: 'aura-2' })).toEqual([])
  })

  it('a Flux saying that is cancelled before its first sound leaves the connection to the next', async () => {
    const server = await openDeepgramTts(apiKey)
    const engine = speaks.open({ credentials, baseUrl: server.baseUrl })
    cleanups.push(
      () => server.close(),
      () => engine?.close?.(),
    )
    const open = () => engine.open({ voice: '', model: 'flux', rateHz: 8_000 }, new AbortController().signal)
    const first = open()
    first.write('Well, if you')
    await expect.poll(() => server.texts).toEqual(['Well, if you '])
    first.cancel()
    await expect.poll(() => server.told).toEqual(['interrupt', 'flush'])
    const second = open()
    second.write('Of course.')
    second.finish()
    expect(await heardFrom(second)).toEqual(['Of', 'course.'])
    await expect.poll(() => server.told).toEqual(['interrupt', 'flush', 'flush'])
  })

  it('a speed that it would refuse is the nearest that it has; an empty id of a voice is none', async () => {
    const { server } = await say(speaks, openDeepgramTts(apiKey), { voice: 'luna', voiceId: '', speed: 3 })
    expect(queryOf(server)).toMatchObject({ speed: '1.5', model: 'aura-2-luna-en' })
  })

  it('a saying is flushed twice at most, as a connection may be flushed 20 times a minute', async () => {
    const server = await openDeepgramTts(apiKey)
    const engine = speaks.open({ credentials, baseUrl: server.baseUrl })
    cleanups.push(
      () => server.close(),
      () => engine?.close?.(),
    )
    const stream = engine?.open({ voice: '', rateHz: 8_000 }, new AbortController().signal)
    for (const clause of ['One.', 'Two.', 'Three.', 'Four.']) {
      stream?.write(clause)
      stream?.flush()
    }
    stream?.finish()
    expect(stream && (await heardFrom(stream))).toEqual(['One.', 'Two.', 'Three.', 'Four.'])
    expect(server.told).toEqual(['flush', 'flush'])
  })
})
