// A stream of clauses over an engine that takes whole texts: pauses between clauses, none before the first or at the end.
import { expect, it } from 'vitest'
import { makeFrame } from '../media/frame.ts'
import { overClauses } from './clause-stream.ts'
import type { TextSynthesizer } from './synthesizer.ts'

/** One loud frame per word. */
const engine: TextSynthesizer = {
  async *synthesize(text, { rateHz }) {
    for (const _ of text.split(' ')) {
      const frame = makeFrame(rateHz)
      frame.samples.fill(1_000)
      yield frame
    }
  },
}

const pauseAfterMs = (clause: string) => (clause.endsWith('.') ? 60 : 0)

async function spoken(...clauses: string[]): Promise<string> {
  const options = { voice: 'heart', rateHz: 8_000 } as const
  const stream = overClauses(engine, ['en'], pauseAfterMs).open(options, new AbortController().signal)
  for (const clause of clauses) stream.write(clause)
  stream.finish()
  let heard = ''
  for await (const event of stream)
    if (event.type === 'frame') heard += event.frame.samples[0] === 0 ? '_' : '#'
    else if (event.type === 'clause-end') heard += '|'
  return heard
}

it('pauses between clauses as the engine says', async () => {
  expect(await spoken('Good day.', 'If you like,', 'come in.', 'Sit.')).toBe('##|___###|##|___#|')
})

it('a single clause has no pause', async () => {
  expect(await spoken('Good day.')).toBe('##|')
})
