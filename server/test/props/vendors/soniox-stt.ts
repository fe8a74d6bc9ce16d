// Soniox's transcriber on a loopback address: wss /transcribe-websocket, as in the vendor's own library.
import { openSttServer, type TurnServer } from './stt-server.ts'
import { timedWords } from './timed-words.ts'

const encodings = { pcm_s16le: 'linear16', mulaw: 'mulaw', alaw: 'alaw' } as const

export const openSonioxStt = (key: string): Promise<TurnServer> =>
  openSttServer({
    // The key is in the first message.
    knows: () => true,
    request(client) {
      client.head(client.headers.authorization === `Bearer ${key}` ? 200 : 401)
      client.send('{"models":[]}')
      client.end()
    },
    talk(client, ears) {
      let isOpen = false
      let isEndpointing = true
      const send = (tokens: readonly object[]) =>
        client.send(JSON.stringify({ tokens, final_audio_proc_ms: 0, total_audio_proc_ms: 0 }))
      client.onMessage((message) => {
        if (!isOpen) {
          const { api_key: given, ...settings } = JSON.parse(message.toString())
          if (given !== key) {
            client.send(
              JSON.stringify({ tokens: [], error_code: 401, error_message: `Incorrect API key: ${given}.` }),
            )
            client.end()
          }
          isOpen = true
          isEndpointing = settings.enable_endpoint_detection
          ears.wants(settings, {
            rateHz: settings.sample_rate,
            encoding: encodings[settings.audio_format as keyof typeof encodings],
            endpointingMs: isEndpointing ? settings.max_endpoint_delay_ms : undefined,
          })
        } else if (typeof message !== 'string') ears.hear(message)
        else if (message === '') {
          ears.told('bye')
        } else ears.told(JSON.parse(message).type.replace('keepalive', 'keep-alive'))
      })
      const settle = (text: string, endMs: number, mark: string) =>
        send([...tokensOf(text, true, endMs), { text: mark, is_final: true, confidence: 1 }])
      return {
        partial: (text) => send([...tokensOf(text, false, 0)]),
        final: (text, endMs) => settle(text, endMs, '<fin>'),
        // It tells nothing before it is sure.
        turn(is, text) {
          if (is === 'certain') settle(text, 0, '<end>')
          else send([...tokensOf(text, false, 0)])
        },
      }
    },
  })

/** Words in pieces, the first of which carries the space before it. */
const tokensOf = (text: string, isFinal: boolean, endMs: number) =>
  timedWords(text, endMs, /(?= )|(?<=[a-z]{2})(?=[a-z]{3})/).map(({ word, startMs, endMs: toMs }) => ({
    text: word,
    is_final: isFinal,
    confidence: 0.9,
    language: 'en',
    start_ms: startMs,
    end_ms: toMs,
  }))
