// Usage by speech engine.
import { expect, it } from 'vitest'
import { ScriptedVoice } from '../../test/props/call/scripted-synthesizer.ts'
import { ScriptedTranscriber } from '../../test/props/call/scripted-transcriber.ts'
import { makeFrame } from '../media/frame.ts'
import { overClauses } from '../ports/clause-stream.ts'
import { meteredSynthesizer, meteredTranscriber, SpeechMeter } from './metered-speech.ts'

it('seconds and characters are counted by engine, also when one takes over from another', () => {
  const meter = new SpeechMeter()
  const { signal } = new AbortController()
  for (const name of ['elevenlabs', 'wren', 'elevenlabs'])
    meteredSynthesizer(overClauses(new ScriptedVoice(), ['en']), name, meter)
      .open({ voice: '', rateHz: 8_000 }, signal)
      .write('Hello.')
  const ears = meteredTranscriber(new ScriptedTranscriber(), 'deepgram', meter)
  const stream = ears.open({ model: '', rateHz: 8_000, endpointingMs: 500 }, signal)
  for (let n = 0; n < 50; n++) stream.write(makeFrame(8_000))
  expect(meter.rows).toEqual([
    { part: 'synthesizer', name: 'elevenlabs', seconds: 0, characters: 12 },
    { part: 'synthesizer', name: 'wren', seconds: 0, characters: 6 },
    { part: 'transcriber', name: 'deepgram', seconds: 1, characters: 0 },
  ])
})
