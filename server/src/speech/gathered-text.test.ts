// How much text a vendor gets at a time.
import { afterEach, expect, it } from 'vitest'
import { openCartesiaTts } from '../../test/props/vendors/cartesia-tts.ts'
import { openOpenaiTts } from '../../test/props/vendors/openai-tts.ts'
import type { SynthesisEvent } from '../ports/synthesizer.ts'
import type { TtsVendor } from '../ports/vendor.ts'
import { speaks as cartesia } from '../vendors/cartesia/speaks.ts'
import { speaks as openai } from '../vendors/openai/speaks.ts'
import { gatheredText } from './gathered-text.ts'

const apiKey = 'secret-of-the-vendor'
const clauses = ['We are open.', 'From nine to six, every day of the week.', 'Come in.']

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function saidTo(vendor: TtsVendor, baseUrl: string, bufferSize: number | undefined) {
  const engine = gatheredText(vendor.open({ credentials: { apiKey }, baseUrl }), bufferSize)
  cleanups.push(() => engine.close?.())
  const stream = engine.open({ voice: '', rateHz: 8_000 }, new AbortController().signal)
  for (const clause of clauses) {
    stream.write(clause)
    stream.flush()
  }
  stream.finish()
  const events: SynthesisEvent['type'][] = []
  for await (const { type } of stream) events.push(type)
  return {
    ends: events.filter((type) => type === 'clause-end').length,
    hasSound: events.includes('frame'),
    marks: engine.abilities.clauseEnds,
  }
}

const [first = '', second = '', third = ''] = clauses

it.each([
  ['over a socket', cartesia, openCartesiaTts],
  ['over HTTP', openai, openOpenaiTts],
] as const)(
  'a vendor %s gets as many characters as were asked for, and clauses end only where they are spoken apart',
  async (_, vendor, open) => {
    const asked = async (bufferSize: number | undefined) => {
      const server = await open(apiKey)
      cleanups.push(() => server.close())
      const isApart = (bufferSize ?? 40) <= 40
      const said = await saidTo(vendor, server.baseUrl, bufferSize)
      expect(said).toEqual({ ends: isApart ? 3 : 0, hasSound: true, marks: isApart })
      return server.texts.map((text) => text.trim()).filter(Boolean)
    }
    expect(await asked(undefined)).toEqual(clauses)
    expect(await asked(40)).toEqual(clauses)
    expect(await asked(50)).toEqual([`${first} ${second}`, third])
    expect(await asked(500)).toEqual([clauses.join(' ')])
  },
)

it('nothing of what was gathered is said after a cancel', async () => {
  const server = await openCartesiaTts(apiKey)
  cleanups.push(() => server.close())
  const engine = gatheredText(cartesia.open({ credentials: { apiKey }, baseUrl: server.baseUrl }), 500)
  cleanups.push(() => engine.close?.())
  const options = { voice: '', rateHz: 8_000 } as const
  const stream = engine.open(options, new AbortController().signal)
  stream.write('We are open.')
  stream.flush()
  stream.cancel()
  stream.finish()
  const next = engine.open(options, new AbortController().signal)
  next.write('Good day.')
  next.finish()
  for await (const _ of next);
  expect(server.texts.map((text) => text.trim()).filter(Boolean)).toEqual(['Good day.'])
})
