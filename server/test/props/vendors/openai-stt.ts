// OpenAI's transcriber on a loopback address: wss /v1/realtime?intent=transcription, as documented.
import { openSttServer, type TurnServer } from './stt-server.ts'
import { answerJson } from './vendor-server.ts'

const transcription = 'conversation.item.input_audio_transcription'

interface Input {
  readonly transcription: Readonly<Record<string, unknown>>
  readonly turn_detection?: object | null
}

/** What a line of models is not told, as the types of OpenAI's library say. */
function faultIn({ transcription, turn_detection: turns = null }: Input): string | undefined {
  const model = `${transcription.model}`
  const isListed = /^gpt-(live-)?transcribe/.test(model)
  const isWhispered = model === 'gpt-realtime-whisper'
  const unknown = [
    ...(isListed ? [] : ['keywords', 'languages']),
    ...(isWhispered ? ['prompt'] : ['delay']),
  ].find((name) => transcription[name] !== undefined)
  if (unknown) return `${unknown} is not supported with ${model}`
  if (turns !== null && (isWhispered || model === 'gpt-live-transcribe'))
    return `turn_detection must be null with ${model}`
  return undefined
}

/** Its settings are the sessions that `session.update` set. */
export const openOpenaiStt = (key: string): Promise<TurnServer> =>
  openSttServer({
    knows: ({ headers }) => headers.authorization === `Bearer ${key}`,
    request: (client) => answerJson(client, { object: 'list', data: [] }),
    talk(client, ears) {
      let item = 0
      let detects = false
      let told = ''
      const send = (type: string, more: object) =>
        client.send(JSON.stringify({ type, event_id: 'e-1', ...more }))
      send('session.created', { session: { type: 'transcription' } })
      client.onMessage((raw) => {
        const message = JSON.parse(raw.toString())
        if (message.type === 'session.update') {
          const fault = faultIn(message.session.audio.input)
          if (fault) return send('error', { error: { message: fault } })
          detects = message.session.audio.input.turn_detection?.type === 'semantic_vad'
          ears.wants(message.session, {
            rateHz: message.session.audio.input.format.rate,
            encoding: 'linear16',
          })
          send('session.updated', { session: message.session })
        } else if (message.type === 'input_audio_buffer.append')
          ears.hear(Buffer.from(message.audio, 'base64'))
        else if (message.type === 'input_audio_buffer.commit') {
          send('input_audio_buffer.committed', { item_id: `i-${item}` })
          ears.told('finalize')
        } else send('error', { error: { message: `unknown: ${message.type}` } })
      })
      const final = (transcript: string) => {
        told = ''
        send(`${transcription}.completed`, { item_id: `i-${item++}`, transcript })
      }
      return {
        // Words come in pieces, as a model makes them.
        partial(text) {
          const fresh = text.startsWith(told) ? text.slice(told.length) : text
          told = text
          for (const delta of fresh.match(/\s*\S+\s*/g) ?? [])
            send(`${transcription}.delta`, { item_id: `i-${item}`, delta })
        },
        final,
        turn(is, text) {
          if (is !== 'certain' || !detects) return
          const at = { item_id: `i-${item}`, audio_end_ms: 0 }
          send('input_audio_buffer.speech_stopped', at)
          send('input_audio_buffer.committed', at)
          final(text)
        },
      }
    },
  })
