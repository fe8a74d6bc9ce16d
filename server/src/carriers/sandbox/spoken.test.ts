// The callee without a script, over a real line with real engines on the virtual clock: it hears speech and answers in
// speech.
import { afterAll, expect, it } from 'vitest'
import { finalText, listen } from '../../../test/props/engines/listen.ts'
import { modelsAtHand } from '../../../test/props/engines/models-at-hand.ts'
import { describeUnless } from '../../../test/props/unless.ts'
import { openVirtualTicker } from '../../../test/props/virtual-clock/virtual-ticker.ts'
import { moonshine, silero } from '../../engines/models/catalogue.ts'
import { pronunciation } from '../../engines/models/kokoro.ts'
import { moonshineTranscriber } from '../../engines/moonshine/moonshine.ts'
import { sileroDetector } from '../../engines/silero/silero.ts'
import { wrenSynthesizer } from '../../engines/wren/wren.ts'
import { type Frame, silence } from '../../media/frame.ts'
import type { LineEvent } from '../../ports/line.ts'
import { sandboxCarrier } from './sandbox.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine, pronunciation)
const rateHz = 8_000
const never = new AbortController().signal

describeUnless(absent, 'a callee who talks', () => {
  const synthesizer = wrenSynthesizer({ folder })
  const transcriber = moonshineTranscriber({ folder })
  const detector = sileroDetector({ folder })
  const ticker = openVirtualTicker()
  afterAll(async () => {
    await ticker.close()
    for (const engine of [synthesizer, transcriber, detector]) await engine.close()
  })

  const spoken = async (text: string): Promise<Frame[]> => {
    const frames: Frame[] = []
    for await (const frame of synthesizer.synthesize(text, { voice: 'heart', rateHz }, never))
      frames.push(frame)
    return frames
  }

  it('answers the question, and hangs up after the goodbye', async () => {
    const question = await spoken('Good morning. Could you please tell me your name?')
    const farewell = await spoken('Thank you very much. Goodbye.')
    const carrier = sandboxCarrier({
      ticker,
      synthesizer,
      transcriber,
      detector,
      noise: async () => () => silence(rateHz),
      voice: 'fenrir',
    })
    const heard: number[] = []
    const events: LineEvent[] = []
    const over = Promise.withResolvers<void>()
    const saying = [...question]
    const line = carrier.dial(
      { sessionId: 's', to: '+15550100', from: null, trunkId: null, metadata: null },
      {
        onEvent: (event) => {
          events.push(event)
          if (event.type === 'ended') over.resolve()
        },
        onFrame: ({ samples }) => void heard.push(...samples),
      },
    )
    let answered = 0
    const agent = ticker.add(() => {
      if (events.some(({ type }) => type === 'answered')) line.send(saying.shift() ?? silence(rateHz))
      // Two seconds after the callee has been heard, the agent says goodbye.
      if (heard.slice(-160).some((sample) => Math.abs(sample) > 1_000)) answered = 1
      else if (answered > 0 && answered++ === 100) saying.push(...farewell)
    })
    await over.promise
    agent.end()
    expect(events.at(-1)).toMatchObject({ type: 'ended', cause: 'hangup', carrierCause: { code: 16 } })
    const words = finalText(await listen({ transcriber, detector }, Int16Array.from(heard), rateHz))
    expect(words.toLowerCase()).toMatch(/my name is.*good ?-?bye/)
  })
})
