// Pixa's transcriber on a loopback address: wss /v1/listen, as an open-source client speaks it.
import { type HearingServer, openSttServer, queryOf } from './stt-server.ts'
import type { EarsFormat } from './word-ears.ts'

const commands: Readonly<Record<string, string>> = {
  Finalize: 'finalize',
  KeepAlive: 'keep-alive',
  CloseStream: 'bye',
}

export const openPixaStt = (key: string): Promise<HearingServer> =>
  openSttServer({
    knows: ({ headers }) => headers['x-pixa-key'] === `Bearer ${key}`,
    talk(client, ears) {
      const settings = queryOf(client)
      ears.wants(settings, {
        rateHz: Number(settings.sample_rate),
        encoding: settings.encoding as EarsFormat['encoding'],
      })
      client.send(JSON.stringify({ type: 'Metadata', request_id: 'r-1' }))
      client.onMessage((message) => {
        if (typeof message !== 'string') ears.hear(message)
        else ears.told(commands[JSON.parse(message).type] ?? '?')
      })
      const send = (transcript: string, isFinal: boolean) =>
        client.send(
          JSON.stringify({
            type: 'Results',
            is_final: isFinal,
            results: { channels: [{ alternatives: [{ transcript }] }] },
          }),
        )
      return { partial: (text) => send(text, false), final: (text) => send(text, true) }
    },
  })
