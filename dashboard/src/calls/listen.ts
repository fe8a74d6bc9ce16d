// Listening in to a running call: its sound over a WebSocket, played as it comes.
import type { ListenTo, ToListener } from '@parley/contract'
import { listenSocket } from '../api.ts'
import type { CallPlace } from './use-call.ts'

export type ListeningState =
  | { readonly is: 'off' }
  | { readonly is: 'connecting' }
  | { readonly is: 'listening' }
  | { readonly is: 'over'; readonly why: string | undefined }

// The lead with which sound is played. Pieces come every 60 ms; with this lead a late one is not heard as a gap.
const headSeconds = 0.15
// Sound that has piled up beyond this is dropped: a listener wants to hear what is said now.
const mostAheadSeconds = 1

/** Starts to listen and returns a function that stops it. Call it on a click: browsers play no sound otherwise. */
export function listenIn(
  { workspaceId, sessionId }: CallPlace,
  onChange: (hearing: ListeningState) => void,
): () => void {
  const socket = listenSocket()
  let speaker: AudioContext | undefined
  let playedUntil = 0
  let isOver = false
  const end = (hearing: ListeningState) => {
    if (isOver) return
    isOver = true
    socket.close()
    void speaker?.close()
    onChange(hearing)
  }
  const play = (samples: Int16Array) => {
    if (!speaker) return
    const ahead = playedUntil - speaker.currentTime
    if (ahead > mostAheadSeconds) return
    const piece = speaker.createBuffer(1, samples.length, speaker.sampleRate)
    const floats = piece.getChannelData(0)
    for (let i = 0; i < samples.length; i++) floats[i] = (samples[i] as number) / 32_768
    const source = new AudioBufferSourceNode(speaker, { buffer: piece })
    source.connect(speaker.destination)
    playedUntil = Math.max(playedUntil, speaker.currentTime + (ahead < 0 ? headSeconds : 0))
    source.start(playedUntil)
    playedUntil += piece.duration
  }
  const heed = (message: ToListener) => {
    if (message.type === 'over') return end({ is: 'over', why: undefined })
    if (message.type === 'refused') return end({ is: 'over', why: message.message })
    void speaker?.close()
    speaker = new AudioContext({ sampleRate: message.rate_hz })
    playedUntil = 0
    onChange({ is: 'listening' })
  }
  onChange({ is: 'connecting' })
  socket.onopen = () =>
    socket.send(JSON.stringify({ workspace_id: workspaceId, session_id: sessionId } satisfies ListenTo))
  socket.onmessage = ({ data }) =>
    typeof data === 'string' ? heed(JSON.parse(data)) : play(new Int16Array(data))
  socket.onclose = () => end({ is: 'over', why: 'The connection was lost.' })
  return () => end({ is: 'off' })
}
