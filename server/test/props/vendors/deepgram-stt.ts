// Deepgram's transcribers on a loopback address: Nova at /v1/listen and Flux at /v2/listen, as documented.
import { decodeMuSample } from '../../../src/media/g711.ts'
import { answerJson, hearPcm, openListeningServer } from './listening-server.ts'
import type { SttServer } from './stt-suite.ts'
import { wordSeconds } from './timed-words.ts'

export function openDeepgramStt(key: string, languages?: readonly string[]): Promise<SttServer> {
  let isAsked = false
  const results = (transcript: string, isFinal: boolean, endMs = 0) => ({
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
  })
  return openListeningServer({
    knows: ({ headers }) => headers.authorization === `Token ${key}`,
    request: (client) => answerJson(client, { api_key_id: '1', scopes: [] }),
    hello(client, server) {
      server.rateHz = Number(client.url.searchParams.get('sample_rate'))
    },
    onMessage(message, client, server) {
      if (typeof message !== 'string') {
        if (client.url.searchParams.get('encoding') === 'mulaw')
          server.sound.push(...Array.from(message, decodeMuSample))
        else hearPcm(server, message)
        return
      }
      const { type } = JSON.parse(message)
      isAsked ||= type === 'Finalize'
      server.told.push(({ Finalize: 'finalize', KeepAlive: 'keep-alive', CloseStream: 'bye' } as never)[type])
      if (type === 'CloseStream')
        client.send(JSON.stringify({ type: 'Metadata', request_id: 'r-1', duration: 1 }))
    },
    partial: (text) => results(text, false),
    final: (text, endMs) => {
      const message = results(text, true, endMs)
      isAsked = false
      return message
    },
  })
}

export function openDeepgramFlux(key: string): Promise<SttServer> {
  let turn = 0
  const turnInfo = (event: string, transcript: string) => ({
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
  })
  return openListeningServer({
    knows: ({ headers }) => headers.authorization === `Token ${key}`,
    hello(client, server) {
      server.rateHz = Number(client.url.searchParams.get('sample_rate'))
      client.send(JSON.stringify({ type: 'Connected', request_id: 'r-1', sequence_id: 0 }))
    },
    onMessage(message, client, server) {
      if (typeof message !== 'string') {
        // Frames of a call are shorter.
        const isSilence = message.length >= server.rateHz * 2 * 0.08 && message.every((byte) => byte === 0)
        if (isSilence) server.told.push('keep-alive')
        return hearPcm(server, message)
      }
      const { type } = JSON.parse(message)
      // Flux has no message that keeps a connection alive.
      if (type === 'CloseStream') server.told.push('bye')
      else
        client.send(
          JSON.stringify({
            type: 'Error',
            code: 'UNPARSABLE_CLIENT_MESSAGE',
            description: `unknown: ${type}`,
          }),
        )
    },
    partial: (text) => [turnInfo('StartOfTurn', ''), turnInfo('Update', text)],
    final: (text) => {
      const messages = [turnInfo('EagerEndOfTurn', text), turnInfo('EndOfTurn', text)]
      turn++
      return messages
    },
  })
}
