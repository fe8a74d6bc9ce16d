// Gladia's transcriber on a loopback address: POST /v2/live and a socket for one session, as in the vendor's own library.
import { randomUUID } from 'node:crypto'
import { type HearingServer, openSttServer } from './stt-server.ts'
import { wordSeconds } from './timed-words.ts'

const encodings = { 'wav/pcm': 'linear16', 'wav/ulaw': 'mulaw', 'wav/alaw': 'alaw' } as const

type Session = Readonly<Record<string, unknown>> & {
  readonly encoding: keyof typeof encodings
  readonly sample_rate: number
  readonly endpointing?: number
  readonly messages_config?: { readonly receive_acknowledgments?: boolean }
}

export async function openGladiaStt(key: string): Promise<HearingServer> {
  // A socket is known by the token in its address.
  const sessions = new Map<string, Session>()
  const server: HearingServer = await openSttServer({
    knows: ({ url, headers }) =>
      headers['x-gladia-key'] === key || sessions.has(url.searchParams.get('token') ?? ''),
    request(client) {
      client.head(client.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' })
      const token = randomUUID()
      if (client.method === 'POST') sessions.set(token, JSON.parse(client.body.toString()))
      const url = `${server.baseUrl.replace('http', 'ws')}/v2/live?token=${token}`
      client.send(JSON.stringify({ id: token, created_at: '2030-01-01T00:00:00Z', url }))
      client.end()
    },
    talk(client, ears) {
      const token = client.url.searchParams.get('token') ?? ''
      const settings = sessions.get(token)
      if (!settings) throw new Error('the token is known')
      const { encoding, sample_rate: rateHz, endpointing = 0.05 } = settings
      ears.wants(settings, { rateHz, encoding: encodings[encoding], endpointingMs: endpointing * 1_000 })
      let sentBytes = 0
      const hear = (sound: Buffer) => {
        ears.hear(sound)
        sentBytes += sound.length
        if (settings.messages_config?.receive_acknowledgments)
          send(
            'audio_chunk',
            { byte_range: [sentBytes - sound.length, sentBytes], time_range: [0, 0] },
            { acknowledged: true },
          )
      }
      const send = (type: string, data: object, more: object = {}) =>
        client.send(
          JSON.stringify({ session_id: token, created_at: '2030-01-01T00:00:00Z', type, data, ...more }),
        )
      client.onMessage((raw) => {
        if (typeof raw !== 'string') return hear(raw)
        const { type, data } = JSON.parse(raw)
        if (type === 'audio_chunk') {
          if (data.chunk === '') ears.told('keep-alive')
          hear(Buffer.from(data.chunk, 'base64'))
        } else ears.told(type === 'stop_recording' ? 'bye' : type)
      })
      const tell = (text: string, isFinal: boolean, endMs: number) =>
        send('transcript', {
          id: '00_00000000',
          is_final: isFinal,
          utterance: {
            text,
            language: 'en',
            start: 0,
            end: endMs / 1_000,
            confidence: 1,
            channel: 0,
            words: wordSeconds(text, endMs),
          },
        })
      return {
        partial: (text, endMs) => tell(text, false, endMs),
        final: (text, endMs) => tell(text, true, endMs),
      }
    },
  })
  return server
}
