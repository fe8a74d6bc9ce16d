// OpenAI's transcriber on a loopback address: wss /v1/realtime?intent=transcription, as documented.
import { answerJson, hearPcm, openListeningServer } from './listening-server.ts'
import type { SttServer } from './stt-suite.ts'

export interface OpenaiSttServer extends SttServer {
  /** The sessions that `session.update` set. */
  readonly sessions: unknown[]
}

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

export async function openOpenaiStt(key: string): Promise<OpenaiSttServer> {
  const sessions: unknown[] = []
  let item = 0
  const transcription = 'conversation.item.input_audio_transcription'
  const event = (type: string, rest: object) => ({ type, event_id: 'e-1', ...rest })
  const server = await openListeningServer({
    knows: ({ headers }) => headers.authorization === `Bearer ${key}`,
    request: (client) => answerJson(client, { object: 'list', data: [] }),
    hello: (client) =>
      client.send(JSON.stringify(event('session.created', { session: { type: 'transcription' } }))),
    onMessage(raw, client, own) {
      const message = JSON.parse(raw.toString())
      if (message.type === 'session.update') {
        const fault = faultIn(message.session.audio.input)
        if (fault) return client.send(JSON.stringify(event('error', { error: { message: fault } })))
        sessions.push(message.session)
        own.rateHz = message.session.audio.input.format.rate
        client.send(JSON.stringify(event('session.updated', { session: message.session })))
      } else if (message.type === 'input_audio_buffer.append')
        hearPcm(own, Buffer.from(message.audio, 'base64'))
      else if (message.type === 'input_audio_buffer.commit') {
        own.told.push('finalize')
        client.send(JSON.stringify(event('input_audio_buffer.committed', { item_id: `i-${item}` })))
      } else client.send(JSON.stringify(event('error', { error: { message: `unknown: ${message.type}` } })))
    },
    // Words come in pieces, as a model makes them.
    partial: (text) =>
      (text.match(/\S+\s*/g) ?? []).map((delta) =>
        event(`${transcription}.delta`, { item_id: `i-${item}`, delta }),
      ),
    final: (transcript) => event(`${transcription}.completed`, { item_id: `i-${item++}`, transcript }),
  })
  return Object.assign(server, { sessions })
}
