// Realtime models as a caller hears them: servers that speak with the offline voice, faster than anybody listens, and a
// recognizer that listens to the recording.
import { afterAll, expect, it } from 'vitest'
import { moonshine, silero } from '../../src/engines/models/catalogue.ts'
import { pronunciation } from '../../src/engines/models/kokoro.ts'
import { moonshineTranscriber } from '../../src/engines/moonshine/moonshine.ts'
import { sileroDetector } from '../../src/engines/silero/silero.ts'
import { wrenSynthesizer } from '../../src/engines/wren/wren.ts'
import type { Frame } from '../../src/media/frame.ts'
import type { RecordingSink } from '../../src/ports/recording.ts'
import { framesOf } from '../props/engines/clips.ts'
import { finalText, listen } from '../props/engines/listen.ts'
import { modelsAtHand } from '../props/engines/models-at-hand.ts'
import { joined, said } from '../props/engines/said.ts'
import { wordErrors } from '../props/engines/word-errors.ts'
import { describeUnless } from '../props/unless.ts'
import { openGeminiLive } from '../props/vendors/gemini-live.ts'
import { openRealtimeServer } from '../props/vendors/openai-realtime.ts'
import { realtimeCall } from '../props/vendors/realtime-call.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine, pronunciation)

const sentences = [
  'The garden is quiet in the evening.',
  'Two boats came back this morning.',
  'You can rent a bicycle at the station.',
  'Our kitchen closes early tonight.',
] as const
const answersWanted = 20
const replies = Array.from({ length: answersWanted }, (_, n) =>
  [0, 1, 2].map((at) => sentences[(n + at) % sentences.length]).join(' '),
)

const isSounding = ({ samples }: Frame): boolean => samples.some((sample) => sample !== 0)

/** What the agent sent, without the silence between its answers. */
function agentRecording() {
  const frames: Frame[] = []
  const sink: RecordingSink = {
    write(_, agent) {
      if (isSounding(agent)) frames.push({ rateHz: agent.rateHz, samples: agent.samples.slice() })
    },
    close: async () => {},
    flushed: async () => {},
    discard: async () => {},
  }
  return { frames, sink }
}

describeUnless(absent, 'twenty answers of several sentences', () => {
  const voice = wrenSynthesizer({ folder })
  const detector = sileroDetector({ folder })
  const transcriber = moonshineTranscriber({ folder })
  const spoken = new Map<string, Promise<Int16Array>>()
  const speak = (text: string): Promise<Int16Array> => {
    const sound = spoken.get(text) ?? said(voice, text, { voice: 'heart', rateHz: 24_000 }).then(joined)
    spoken.set(text, sound)
    return sound
  }
  afterAll(async () => {
    for (const engine of [voice, transcriber, detector]) await engine.close()
  })

  const vendors = [
    {
      provider: 'openai',
      model: 'gpt-realtime-2.1',
      version: '/v1',
      async open() {
        const server = await openRealtimeServer('good', { voice: speak })
        const turnsAsked = () => server.told.filter(({ type }) => type === 'input_audio_buffer.commit').length
        return { server, turnsAsked, says: (words: string) => void server.heard.push(words) }
      },
    },
    {
      provider: 'gemini',
      model: 'gemini-3.8-live',
      version: '/v1beta',
      async open() {
        const server = await openGeminiLive('good', { voice: speak })
        return { server, turnsAsked: () => 0, says() {} }
      },
    },
  ] as const

  it.each(vendors)('of $model are heard once', async ({ provider, model, version, open }) => {
    // Spoken before the call begins, whose clock does not wait for it.
    const sounds: Int16Array[] = []
    for (const words of replies) sounds.push(await speak(words))
    const expected = sounds.flatMap((sound) => framesOf(sound, 24_000)).filter(isSounding).length
    const { server, turnsAsked, says } = await open()
    for (const words of replies) server.answers.push({ words })
    const { frames, sink } = agentRecording()
    const talk = realtimeCall({
      llmConfig: { provider, model, base_url: `${server.baseUrl}${version}` },
      parts: { recording: () => sink },
    })
    const { call, until } = talk
    await call.answer()
    for (const [n] of replies.entries()) {
      says('Tell me more.')
      const asked = () => turnsAsked() + (talk.transcriber.streams.at(-1)?.asked ?? 0)
      const before = asked()
      call.detector.tell('speech-start')
      talk.transcriber.streams.at(-1)?.push({ type: 'partial', text: 'Tell me more.' })
      for (let frame = 0; frame < 30; frame++) await call.tick()
      call.detector.tell('speech-end')
      await until(() => asked() > before)
      talk.transcriber.streams.at(-1)?.push({ type: 'final', text: 'Tell me more.' })
      await until(() => call.spoken().length === 2 * n + 2)
    }
    await talk.close()
    await server.close()

    const recording = joined(frames)
    expect(Math.abs(frames.length / expected - 1)).toBeLessThan(0.05)
    const heard = finalText(await listen({ transcriber, detector }, recording, 8_000))
    const { errors, words } = wordErrors(replies.join(' '), heard)
    expect(errors / words, heard).toBeLessThan(0.05)
  })
})
