// Sound over the socket: from the microphone, and to the loudspeaker.

import { webSound } from '@parley/contract/web-sound'
import microphoneUrl from './microphone-worklet.ts?worker&url'
import speakerUrl from './speaker-worklet.ts?worker&url'

export interface Pcm {
  /** The sound that is played, for meters. */
  readonly sound: AudioNode
  play(frame: ArrayBuffer): void
  close(): void
}

/** Opens both directions. Without a microphone, silence is sent. */
export async function openPcm(
  microphone: MediaStream | undefined,
  speaker: string | undefined,
  send: (frame: ArrayBuffer) => void,
): Promise<Pcm> {
  const [mouth, ear] = await Promise.all([
    openMouth(speaker),
    microphone ? openEar(microphone, send) : sendSilence(send),
  ])
  return {
    sound: mouth,
    play: (frame) => mouth.port.postMessage(frame, [frame]),
    close() {
      ear.close()
      void (mouth.context as AudioContext).close()
    },
  }
}

/** Opens the node that plays the agent, at the rate of the line. */
async function openMouth(speaker: string | undefined): Promise<AudioWorkletNode> {
  const context = new AudioContext({ sampleRate: webSound.rateHz })
  await chooseSpeaker(context, speaker)
  await context.audioWorklet.addModule(speakerUrl)
  const mouth = new AudioWorkletNode(context, 'speaker', { numberOfInputs: 0, outputChannelCount: [1] })
  mouth.connect(context.destination)
  void context.resume()
  return mouth
}

/** Reads the microphone at its own rate: not every browser resamples its input. */
async function openEar(microphone: MediaStream, send: (frame: ArrayBuffer) => void) {
  const context = new AudioContext()
  await context.audioWorklet.addModule(microphoneUrl)
  const ear = new AudioWorkletNode(context, 'microphone', { numberOfOutputs: 0, channelCount: 1 })
  ear.port.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => send(data)
  context.createMediaStreamSource(microphone).connect(ear)
  await context.resume()
  return {
    close() {
      ear.port.onmessage = null
      void context.close()
    },
  }
}

const frameMs = (1_000 * webSound.frameSamples) / webSound.rateHz

function sendSilence(send: (frame: ArrayBuffer) => void) {
  const sending = setInterval(() => send(new ArrayBuffer(webSound.frameBytes)), frameMs)
  return { close: () => clearInterval(sending) }
}

/** Plays on the chosen loudspeaker. If the browser cannot, or the loudspeaker is gone, the default one is used. */
async function chooseSpeaker(context: AudioContext, speaker: string | undefined): Promise<void> {
  const { setSinkId } = context as AudioContext & { setSinkId?: (id: string) => Promise<void> }
  if (speaker) await setSinkId?.call(context, speaker).catch(() => {})
}
