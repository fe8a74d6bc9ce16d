// Audio over the socket: from the microphone, and to the loudspeaker.

import { webSound } from '@parley/contract/web-sound'
import microphoneUrl from './microphone-worklet.ts?worker&url'
import speakerUrl from './speaker-worklet.ts?worker&url'

export interface Pcm {
  /** What is played, for meters. */
  readonly sound: AudioNode
  play(frame: ArrayBuffer): void
  close(): void
}

export async function openPcm(
  microphone: MediaStream,
  speaker: string | undefined,
  send: (frame: ArrayBuffer) => void,
): Promise<Pcm> {
  // The loudspeaker runs at the rate of the line, the microphone at its own: not every browser resamples its input.
  const speaking = new AudioContext({ sampleRate: webSound.rateHz })
  const hearing = new AudioContext()
  await chooseSpeaker(speaking, speaker)
  await Promise.all([
    speaking.audioWorklet.addModule(speakerUrl),
    hearing.audioWorklet.addModule(microphoneUrl),
  ])
  const mouth = new AudioWorkletNode(speaking, 'speaker', { numberOfInputs: 0, outputChannelCount: [1] })
  mouth.connect(speaking.destination)
  const ear = new AudioWorkletNode(hearing, 'microphone', { numberOfOutputs: 0, channelCount: 1 })
  ear.port.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => send(data)
  hearing.createMediaStreamSource(microphone).connect(ear)
  await Promise.all([speaking.resume(), hearing.resume()])
  return {
    sound: mouth,
    play: (frame) => mouth.port.postMessage(frame, [frame]),
    close() {
      ear.port.onmessage = null
      void speaking.close()
      void hearing.close()
    },
  }
}

/** Not every browser can, and one that was unplugged is no reason not to be heard. */
async function chooseSpeaker(context: AudioContext, speaker: string | undefined): Promise<void> {
  const { setSinkId } = context as AudioContext & { setSinkId?: (id: string) => Promise<void> }
  if (speaker) await setSinkId?.call(context, speaker).catch(() => {})
}
