// AssemblyAI's transcriber on a loopback address: wss /v3/ws, as documented and as in the vendor's own library.
import { openSttServer, queryOf, type TurnServer } from './stt-server.ts'
import { timedWords } from './timed-words.ts'

export const openAssemblyStt = (key: string): Promise<TurnServer> =>
  openSttServer({
    knows: ({ headers }) => headers.authorization === key,
    request(client) {
      client.head(200, { 'content-type': 'application/json' })
      client.send('{"transcripts":[]}')
      client.end()
    },
    talk(client, ears) {
      const settings = queryOf(client)
      const rateHz = Number(settings.sample_rate)
      const encoding = settings.encoding === 'pcm_mulaw' ? 'mulaw' : 'linear16'
      ears.wants(settings, {
        rateHz,
        encoding,
        endpointingMs: Number(settings.max_turn_silence) || undefined,
      })
      client.send(JSON.stringify({ type: 'Begin', id: 's-1', expires_at: 2_000_000_000 }))
      let turn = 0
      const send = (text: string, endMs: number, flags: object) =>
        client.send(
          JSON.stringify({
            type: 'Turn',
            turn_order: turn,
            turn_is_formatted: false,
            end_of_turn: false,
            end_of_turn_confidence: 0.1,
            transcript: text,
            words: timedWords(text, endMs).map(({ word, ...span }) => ({
              text: word,
              start: span.startMs,
              end: span.endMs,
              confidence: 1,
              word_is_final: true,
            })),
            ...flags,
          }),
        )
      let left = 0
      client.onMessage((message) => {
        if (typeof message !== 'string') {
          const lengthMs = message.length / (encoding === 'mulaw' ? 1 : 2) / (rateHz / 1_000)
          // The last chunk before a command may be shorter.
          if (left > 0 || lengthMs > 1_000) client.end(3_007, 'Input duration violation')
          if (lengthMs < 50) left++
          ears.hear(message)
          return
        }
        left = 0
        const { type } = JSON.parse(message)
        const told = { ForceEndpoint: 'finalize', KeepAlive: 'keep-alive', Terminate: 'bye' }[type as string]
        if (told) ears.told(told)
        if (type === 'Terminate' && settings.terminates !== undefined) {
          client.send(
            JSON.stringify({ type: 'Termination', audio_duration_seconds: 1, session_duration_seconds: 1 }),
          )
          client.end()
        }
      })
      const formats = settings.speech_model?.startsWith('universal-streaming')
      const final = (text: string, endMs: number) => {
        if (formats) send(text, endMs, { end_of_turn: true, end_of_turn_confidence: 0.9 })
        send(text, endMs, {
          end_of_turn: true,
          turn_is_formatted: true,
          language_code: 'en',
          language_confidence: 0.9,
        })
        turn++
      }
      return {
        partial: (text, endMs) => send(text, endMs, {}),
        final,
        turn(is, text) {
          if (is === 'certain') final(text, 0)
          else send(text, 0, { end_of_turn_confidence: is === 'likely' ? 0.7 : 0.1 })
        },
      }
    },
  })
