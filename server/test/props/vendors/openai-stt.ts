// OpenAI's transcriber on a loopback address: wss /v1/realtime?intent=transcription, as documented.
import { type HearingServer, openSttServer } from './stt-server.ts'
import { answerJson } from './vendor-server.ts'

const transcription = 'conversation.item.input_audio_transcription'

/** Its settings are the sessions that `session.update` set. */
export const openOpenaiStt = (key: string): Promise<HearingServer> =>
  openSttServer({
    knows: ({ headers }) => headers.authorization === `Bearer ${key}`,
    request: (client) => answerJson(client, { object: 'list', data: [] }),
    talk(client, ears) {
      let item = 0
      let told = ''
      const send = (type: string, more: object) =>
        client.send(JSON.stringify({ type, event_id: 'e-1', ...more }))
      send('session.created', { session: { type: 'transcription' } })
      client.onMessage((raw) => {
        const message = JSON.parse(raw.toString())
        if (message.type === 'session.update') {
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
      return {
        // Words come in pieces, as a model makes them.
        partial(text) {
          const fresh = text.startsWith(told) ? text.slice(told.length) : text
          told = text
          for (const delta of fresh.match(/\s*\S+\s*/g) ?? [])
            send(`${transcription}.delta`, { item_id: `i-${item}`, delta })
        },
        final(transcript) {
          told = ''
          send(`${transcription}.completed`, { item_id: `i-${item++}`, transcript })
        },
      }
    },
  })
