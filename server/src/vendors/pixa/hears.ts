// Pixa. wss /v1/listen, `X-Pixa-Key: Bearer …`. It publishes no reference: this is what Bolna, an open-source client, speaks.
//
//   → binary audio · {"type":"Finalize"} · {"type":"KeepAlive"} · {"type":"CloseStream"}
//   ← {"type":"Metadata"} · {"type":"Results","is_final","results":{"channels":[{"alternatives":[{"transcript"}]}]}}
//     {"type":"error"}
import { z } from 'zod'
import { type SttMessage, socketVendor } from '../over/hears/over-socket.ts'
import { modelOr } from '../over/hears/wishes.ts'
import { readVendorMessage } from '../over/wire/passed-over.ts'
import { account, hearsHost } from './account.ts'
import { hearsOptions } from './own-options.ts'

const Alternatives = z.object({ alternatives: z.array(z.object({ transcript: z.string() })) })
const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Metadata') }),
  z.object({
    type: z.literal('Results'),
    is_final: z.boolean().default(false),
    results: z.object({ channels: z.array(Alternatives) }).optional(),
    transcript: z.string().optional(),
  }),
  z.object({ type: z.literal('error'), message: z.string().optional(), error: z.string().optional() }),
])

function decode(raw: unknown): readonly SttMessage[] {
  const message = readVendorMessage(Message, raw)
  if (message.type === 'Metadata') return []
  if (message.type === 'error')
    return [{ type: 'failed', reason: message.message ?? message.error ?? 'it does not say why' }]
  const said = message.results?.channels[0]?.alternatives[0]?.transcript ?? message.transcript ?? ''
  return [{ type: message.is_final ? 'final' : 'partial', text: said.trim() }]
}

export const hears = socketVendor(account, {
  languages: ['hi'],
  abilities: { keyterms: false, wordTimes: false },
  host: hearsHost,
  options: {
    model: '`model`; pixa-1 unless given',
    language: '`language`: it understands Hindi only',
    samplingRateHz: '`sample_rate`',
    encoding: '`encoding`: linear16, mulaw or alaw',
    endpointingMs: 'ours: `Finalize` is sent when the caller has been silent for as long',
    keyterms: null,
  },
  ownOptions: hearsOptions,
  encodings: ['linear16', 'mulaw', 'alaw'],
  keepAlive: { everyMs: 8_000, message: '{"type":"KeepAlive"}' },
  connect(options, given) {
    const query = {
      model: modelOr('pixa-1', options),
      language: 'hi',
      encoding: options.encoding,
      sample_rate: options.rateHz,
    }
    const url = account.url('wss', given, '/v1/listen', query, hearsHost)
    return { url, headers: { 'x-pixa-key': `Bearer ${given.credentials.apiKey}` } }
  },
  listen: () => ({ finalize: () => '{"type":"Finalize"}', bye: '{"type":"CloseStream"}', decode }),
})
