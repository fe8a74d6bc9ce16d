// Sarvam's transcriber on a loopback address: wss /speech-to-text-realtime/ws, as in the vendor's own library.
import { type HearingServer, openSttServer, queryOf } from './stt-server.ts'
import type { EarsFormat } from './word-ears.ts'

/** As its library and its pages say. */
function faultIn({ language_code: language = '', model = '', keyterms }: Readonly<Record<string, string>>) {
  if (language === 'od-IN') return 'Odia is or-IN here.'
  if (keyterms === undefined) return undefined
  const terms: readonly string[] = JSON.parse(keyterms)
  const isTaken =
    model.startsWith('saaras:v4') && terms.length <= 50 && terms.every(({ length }) => length <= 64)
  return isTaken ? undefined : 'keyterms are not taken.'
}

export const openSarvamStt = (key: string): Promise<HearingServer> =>
  openSttServer({
    knows: ({ headers }) => headers['api-subscription-key'] === key,
    request(client) {
      client.head(200, { 'content-type': 'application/json' })
      client.send('{"dictionaries":[]}')
      client.end()
    },
    talk(client, ears) {
      const settings = queryOf(client)
      const isManual = settings.endpointing === 'manual'
      let isSpeech = !isManual
      const isAuto = settings.language_code === 'auto'
      const fault = faultIn(settings)
      if (fault)
        client.send(
          JSON.stringify({ event: 'error', code: 'invalid_config', is_fatal: true, message: fault }),
        )
      ears.wants(settings, {
        rateHz: Number(settings.sample_rate),
        encoding: (settings.encoding ?? 'linear16') as EarsFormat['encoding'],
        endpointingMs: isManual ? undefined : Number(settings.silence_duration_ms),
      })
      let utterance = 0
      const send = (event: string, more: object = {}) => client.send(JSON.stringify({ event, ...more }))
      send('session.begin', { request_id: 'r-1', config: {} })
      client.onMessage((message) => {
        const { event, audio } = JSON.parse(message.toString())
        if (event === 'audio_input') {
          // Sound between two utterances is nobody's.
          if (isSpeech) ears.hear(Buffer.from(audio, 'base64'))
        } else if (isManual && event === 'speech_start') isSpeech = true
        else if (isManual && event === 'speech_end') {
          isSpeech = false
          ears.told('finalize')
        } else ears.told({ ping: 'keep-alive', end: 'bye' }[event as string] ?? event)
        if (event === 'ping') send('pong')
      })
      const words = (text: string) => ({
        utterance_idx: utterance,
        text,
        ...(isAuto && { language: 'hi-IN', language_confidence: 0.9 }),
      })
      return {
        partial: (text) => send('transcript.partial', words(text)),
        final(text, endMs) {
          if (!isManual) send('vad.speech_end', { utterance_idx: utterance })
          send('transcript.final', { ...words(text), start_s: 0, ...(endMs > 0 && { end_s: endMs / 1_000 }) })
          utterance++
        },
      }
    },
  })
