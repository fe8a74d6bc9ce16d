import { expect, it } from 'vitest'
import type { EmbeddedEngines, NeededEngines } from '../../engines/engines.ts'
import type { ExpectedSpeech } from '../../resources/calls/work.ts'
import { loadExpected } from './load-expected.ts'

const gigabyte = 1024 ** 3

/** Engines for English and Spanish; the weights of others are missing. */
function setUp() {
  const loaded: string[] = []
  const english = { is: 'english' } as never
  const world = { is: 'world' } as never
  const engines: Parameters<typeof loadExpected>[0] = {
    load: async ({ transcriber, voice }: NeededEngines) => {
      loaded.push(
        `${transcriber ? (transcriber as unknown as { is: string }).is : 'no ears'}, ${voice ?? 'no voice'}`,
      )
    },
    transcriberFor: (language) =>
      language === 'es'
        ? { transcriber: world, used: 'whisper', languages: [] }
        : { transcriber: english, used: 'moonshine', languages: [] },
    troubleWith: (_, language) => (language === 'ja' ? 'The weights are missing.' : undefined),
    voices: {
      ready: Promise.resolve(),
      pick: ({ language }: { language?: string | undefined }) => (language === 'es' ? 'ef_dora' : 'wren'),
    } as unknown as EmbeddedEngines['voices'],
  }
  const told: string[] = []
  const log = { info: (_: object, message: string) => told.push(message) } as never
  return { engines, loaded, told, log }
}

const speaks = (language: string | undefined): ExpectedSpeech => ({
  transcriber: { asked: null, language },
  synthesizer: { voice: undefined, voiceId: undefined, language },
})

it('loads each engine once, those of the agents that are called most first', async () => {
  const { engines, loaded, log } = setUp()
  const agents = [speaks('es'), speaks('en'), speaks('es'), speaks(undefined)]
  await loadExpected(engines, agents, log, () => 4 * gigabyte)
  expect(loaded).toEqual(['world, ef_dora', 'english, wren'])
})

it('loads nothing for a part that is a vendor’s, or whose weights are missing', async () => {
  const { engines, loaded, log } = setUp()
  const agents = [{ ...speaks('en'), synthesizer: undefined }, speaks('ja')]
  await loadExpected(engines, agents, log, () => 4 * gigabyte)
  expect(loaded).toEqual(['english, no voice', 'no ears, no voice'])
})

it('stops where there is no more memory, and says so', async () => {
  const { engines, loaded, told, log } = setUp()
  await loadExpected(engines, [speaks('en'), speaks('es')], log, () =>
    loaded.length === 0 ? 2 * gigabyte : gigabyte / 2,
  )
  expect(loaded).toEqual(['english, wren'])
  expect(told).toEqual(['not all engines of active agents are loaded: there is no memory'])
})
