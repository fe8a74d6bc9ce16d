// Deepgram's transcribers on a loopback address: Nova at /v1/listen and Flux at /v2/listen, as documented.
import { type HearingServer, openSttServer, queryOf, type TurnServer } from './stt-server.ts'
import { wordSeconds } from './timed-words.ts'
import { answerJson } from './vendor-server.ts'
import type { EarsFormat } from './word-ears.ts'

const commands: Readonly<Record<string, string>> = {
  Finalize: 'finalize',
  KeepAlive: 'keep-alive',
  CloseStream: 'bye',
}

const formatOf = (settings: Readonly<Record<string, string>>, endpointingMs: number): EarsFormat => ({
  rateHz: Number(settings.sample_rate),
  encoding: (settings.encoding ?? 'linear16') as EarsFormat['encoding'],
  endpointingMs: endpointingMs || undefined,
})

export const openDeepgramStt = (key: string, languages?: readonly string[]): Promise<HearingServer> =>
  openSttServer({
    knows: ({ headers }) => headers.authorization === `Token ${key}`,
    request: (client) => answerJson(client, { api_key_id: '1', scopes: [] }),
    talk(client, ears) {
      const settings = queryOf(client)
      ears.wants(settings, formatOf(settings, Number(settings.endpointing)))
      let isAsked = false
      client.onMessage((message) => {
        if (typeof message !== 'string') return ears.hear(message)
        const { type } = JSON.parse(message)
        isAsked ||= type === 'Finalize'
        ears.told(commands[type] ?? '?')
        if (type === 'CloseStream')
          client.send(JSON.stringify({ type: 'Metadata', request_id: 'r-1', duration: 1 }))
      })
      const tell = (transcript: string, isFinal: boolean, endMs: number) =>
        client.send(
          JSON.stringify({
            type: 'Results',
            channel_index: [0, 1],
            duration: 1,
            start: 0,
            is_final: isFinal,
            speech_final: isFinal && !isAsked,
            from_finalize: isFinal && isAsked,
            channel: {
              alternatives: [
                {
                  transcript,
                  confidence: 0.98,
                  words: wordSeconds(transcript, endMs),
                  ...(languages && { languages }),
                },
              ],
            },
            metadata: { request_id: 'r-1' },
          }),
        )
      return {
        partial: (text) => tell(text, false, 0),
        final(text, endMs) {
          tell(text, true, endMs)
          isAsked = false
        },
      }
    },
  })

export const openDeepgramFlux = (key: string): Promise<TurnServer> =>
  openSttServer({
    knows: ({ headers }) => headers.authorization === `Token ${key}`,
    talk(client, ears) {
      const settings = queryOf(client)
      const format = formatOf(settings, Number(settings.eot_timeout_ms))
      const isSilenced = settings.eot_threshold === '1'
      ears.wants(settings, format)
      let turn = 0
      const tell = (event: string, transcript: string) =>
        client.send(
          JSON.stringify({
            type: 'TurnInfo',
            request_id: 'r-1',
            sequence_id: 1,
            event,
            turn_index: turn,
            transcript,
            audio_window_start: 0,
            audio_window_end: 1,
            words: [],
            end_of_turn_confidence: 0.8,
          }),
        )
      const end = (text: string) => {
        tell('EndOfTurn', text)
        turn++
      }
      client.send(JSON.stringify({ type: 'Connected', request_id: 'r-1', sequence_id: 0 }))
      client.onMessage((message) => {
        if (typeof message !== 'string') {
          // Frames of a call are shorter.
          const isSilence = message.length >= format.rateHz * 2 * 0.08 && message.every((byte) => byte === 0)
          if (isSilence) ears.told('keep-alive')
          return ears.hear(message)
        }
        const { type } = JSON.parse(message)
        // Flux has no message that keeps a connection alive.
        if (type === 'CloseStream') return ears.told('bye')
        if (type === 'ForceEndTurn') return ears.told('finalize')
        const description = `unknown: ${type}`
        client.send(JSON.stringify({ type: 'Error', code: 'UNPARSABLE_CLIENT_MESSAGE', description }))
      })
      return {
        partial(text) {
          tell('StartOfTurn', '')
          tell('Update', text)
        },
        final: end,
        turn(is, text) {
          if (isSilenced) return
          if (is === 'certain') end(text)
          else if (is === 'withdrawn') tell('TurnResumed', text)
          else if (settings.eager_eot_threshold) tell('EagerEndOfTurn', text)
        },
      }
    },
  })
