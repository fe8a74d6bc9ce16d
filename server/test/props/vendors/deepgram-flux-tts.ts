// Deepgram's Flux voices as part of the loopback synthesizer: wss /v2/speak, as documented and in the types of its library.
import { piecesOf, soundOf, wordsOf } from './spoken-words.ts'
import type { VendorClient } from './vendor-server.ts'

/** Text is spoken from the first end of a sentence on, or at the end of its turn. */
export function serveFlux(client: VendorClient, texts: string[], told: string[]): void {
  const rateHz = Number(client.url.searchParams.get('sample_rate') ?? 24_000)
  const send = (message: object) => client.send(JSON.stringify(message))
  let turn: { readonly id: string; text: string } | undefined
  let turns = 0
  let hasSound = false
  send({ type: 'Connected', request_id: 'r-1', model_name: client.url.searchParams.get('model') })
  const warn = (code: string) => send({ type: 'Warning', code, description: code })
  const speak = () => {
    for (const word of wordsOf(turn?.text ?? ''))
      for (const piece of piecesOf(soundOf(word, rateHz))) {
        hasSound = true
        client.send(piece)
      }
    if (turn) turn.text = ''
  }
  const metadata = (id: string) => ({ speech_id: id, audio_duration_ms: 0, input_character_count: 0 })
  client.onMessage((raw) => {
    const message = JSON.parse(raw.toString())
    if (message.type === 'Speak') {
      texts.push(message.text)
      if (!turn) {
        turn = { id: `dg_sp_${turns++}`, text: '' }
        send({ type: 'SpeechStarted', speech_id: turn.id })
      }
      turn.text += message.text
      if (/[.?!]\s*$/.test(turn.text)) speak()
      return
    }
    told.push(message.type.toLowerCase())
    if (message.type === 'Close') return client.end()
    if (message.type === 'Flush') {
      if (!turn) return warn('NO_ACTIVE_SPEECH')
      speak()
      send({ type: 'Flushed', speech_id: turn.id })
      send({ type: 'SpeechMetadata', ...metadata(turn.id) })
      turn = undefined
    } else if (message.type === 'Interrupt') {
      if (!hasSound) return warn('NO_AUDIO_GENERATED')
      if (!turn) return warn('NO_ACTIVE_SPEECH')
      // Sound that was being synthesized still comes.
      for (const piece of piecesOf(soundOf('leftover', rateHz))) client.send(piece)
      send({ type: 'SpeechInterrupted', audio_played_ms: 0, metadata: metadata(turn.id) })
      turn = undefined
    } else send({ type: 'Error', code: 'MESSAGE-0000', description: `unknown: ${message.type}` })
  })
}
