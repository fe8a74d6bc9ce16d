// Smallest's transcriber on a loopback address: wss /waves/v1/stt/live, as documented.
import { type HearingServer, openSttServer, queryOf } from './stt-server.ts'
import { wordSeconds } from './timed-words.ts'
import type { EarsFormat } from './word-ears.ts'

export const openSmallestStt = (key: string): Promise<HearingServer> =>
  openSttServer({
    knows: ({ headers }) => headers.authorization === `Bearer ${key}`,
    request(client) {
      client.head(200, { 'content-type': 'application/json' })
      client.send('{"voices":[]}')
      client.end()
    },
    talk(client, ears) {
      const settings = queryOf(client)
      ears.wants(settings, {
        rateHz: Number(settings.sample_rate),
        encoding: settings.encoding as EarsFormat['encoding'],
        endpointingMs: settings.endpointing === 'true' ? Number(settings.eou_timeout_ms) : undefined,
      })
      client.onMessage((message) => {
        if (typeof message !== 'string') {
          if (message.every((byte) => byte === message[0]) && message.length <= 320) ears.told('keep-alive')
          ears.hear(message)
        } else ears.told(JSON.parse(message).type === 'finalize' ? 'finalize' : 'bye')
      })
      const send = (text: string, isFinal: boolean, endMs: number) =>
        client.send(
          JSON.stringify({
            session_id: 's-1',
            transcript: text,
            is_final: isFinal,
            is_last: false,
            language: 'en',
            ...(endMs > 0 && { words: wordSeconds(text, endMs) }),
          }),
        )
      return {
        partial: (text, endMs) => send(text, false, endMs),
        final: (text, endMs) => send(text, true, endMs),
      }
    },
  })
