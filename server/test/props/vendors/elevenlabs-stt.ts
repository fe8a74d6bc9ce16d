// ElevenLabs' transcriber on a loopback address: wss /v1/speech-to-text/realtime, as documented.
import { answerJson, hearPcm, openListeningServer } from './listening-server.ts'
import type { SttServer } from './stt-suite.ts'

export function openElevenlabsStt(key: string): Promise<SttServer> {
  let detects = false
  return openListeningServer({
    // Browsers, which send no headers, have a token in the address.
    knows: ({ headers, url }) => (headers['xi-api-key'] ?? url.searchParams.get('token')) === key,
    request: (client) => answerJson(client, []),
    hello(client, server) {
      detects = client.url.searchParams.has('include_language_detection')
      server.rateHz = Number(client.url.searchParams.get('audio_format')?.replace('pcm_', ''))
      client.send(JSON.stringify({ message_type: 'session_started', session_id: 's-1', config: {} }))
    },
    onMessage(raw, _, server) {
      const { message_type: type, audio_base_64: audio, commit } = JSON.parse(raw.toString())
      if (type !== 'input_audio_chunk') throw new Error(`unknown: ${type}`)
      const bytes = Buffer.from(audio, 'base64')
      if (commit) server.told.push('finalize')
      else if (bytes.every((byte) => byte === 0)) server.told.push('keep-alive')
      hearPcm(server, bytes)
    },
    partial: (text) => ({ message_type: 'partial_transcript', text }),
    final: (text) => [
      // Partials are sent until the utterance is committed.
      { message_type: 'final_transcript', text },
      { message_type: 'committed_transcript', text },
      ...(detects
        ? [{ message_type: 'committed_transcript_with_timestamps', text, language_code: 'fr', words: null }]
        : []),
    ],
  })
}
