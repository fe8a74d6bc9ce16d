// ElevenLabs' transcriber on a loopback address: wss /v1/speech-to-text/realtime, as documented.
import { openSttServer, queryOf, type SttVoice, type TurnServer } from './stt-server.ts'
import { answerJson } from './vendor-server.ts'

export const openElevenlabsStt = (key: string): Promise<TurnServer> =>
  openSttServer({
    // Browsers, which send no headers, have a token in the address.
    knows: ({ headers, url }) => (headers['xi-api-key'] ?? url.searchParams.get('token')) === key,
    request: (client) => answerJson(client, []),
    talk(client, ears) {
      const settings = queryOf(client)
      const rateHz = Number(settings.audio_format?.replace('pcm_', ''))
      ears.wants(settings, { rateHz, encoding: 'linear16' })
      const send = (message_type: string, more: object) =>
        client.send(JSON.stringify({ message_type, ...more }))
      send('session_started', { session_id: 's-1', config: {} })
      client.onMessage((raw) => {
        const { message_type: type, audio_base_64: audio, commit } = JSON.parse(raw.toString())
        if (type !== 'input_audio_chunk') throw new Error(`unknown: ${type}`)
        const bytes = Buffer.from(audio, 'base64')
        if (!commit && bytes.every((byte) => byte === 0)) ears.told('keep-alive')
        ears.hear(bytes)
        if (commit) ears.told('finalize')
      })
      const partial = (text: string) => send('partial_transcript', { text })
      const final = (text: string) => {
        // Partials are sent until the utterance is committed.
        send('final_transcript', { text })
        send('committed_transcript', { text })
        if (settings.include_language_detection)
          send('committed_transcript_with_timestamps', { text, language_code: 'fr', words: null })
      }
      // By itself it commits after a silence, where it was asked to.
      const turn: SttVoice['turn'] = (is, text) =>
        is === 'certain' && settings.commit_strategy === 'vad' ? final(text) : partial(text)
      return { partial, final, turn }
    },
  })
