// Semantic routes: with real weights the intended route is found; without an embedder only the routes are lost.
import { afterAll, expect, it } from 'vitest'
import { modelsAtHand } from '../../test/props/engines/models-at-hand.ts'
import { describeUnless } from '../../test/props/unless.ts'
import { miniLmEmbedder } from '../engines/minilm/minilm.ts'
import { minilm } from '../engines/models/catalogue.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import { variableFiller } from '../resources/calls/plan/fill-variables.ts'
import { readRoutes } from '../resources/calls/plan/read-graph.ts'
import { withRoutes } from './semantic-routes.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, minilm)

const written = {
  routes: {
    embedding_model: 'any',
    routes: [
      {
        route_name: 'price',
        utterances: ['How much does it cost?', 'What is the price?', 'Is it expensive?'],
        response: 'It is {price} a month.',
      },
      { route_name: 'human', utterances: ['I want to talk to a person'], response: ['Ask for Ann.'] },
      { utterances: [] },
    ],
  },
}
// Which route matches must not depend on how busy this machine is.
const longMs = 600_000

const model: LanguageModel = {
  async *reply() {
    yield { type: 'text', text: 'model' }
  },
}

const { fill } = variableFiller({ price: '5 dollars' })

async function answer(said: string, embedder: Embedder, patienceMs = longMs): Promise<string> {
  const { routes } = readRoutes(written, fill)
  const both = withRoutes(model, { routes, embedder, onTaken: () => {}, patienceMs })
  let text = ''
  const request = { messages: [{ role: 'user', content: said }], tools: [] } as const
  for await (const part of both.reply(request, new AbortController().signal))
    if (part.type === 'text') text += part.text
  return text
}

it('are parsed leniently', () => {
  expect(readRoutes(written, fill).routes.map(({ name }) => name)).toEqual(['price', 'human'])
  expect(readRoutes(written, fill).problems).toEqual([
    'route 3 needs utterances and a response and was left out',
  ])
  expect(readRoutes({ llm_config: { routes: written.routes } }, fill).routes).toHaveLength(2)
})

it('without an embedder the model answers', async () => {
  const broken = { embed: () => Promise.reject(new Error('no weights')) }
  expect(await answer('What is the price?', broken)).toBe('model')
})

it('an embedder that takes too long loses to the model', async () => {
  const stuck = { embed: () => new Promise<never>(() => {}) }
  expect(await answer('What is the price?', stuck, 10)).toBe('model')
})

describeUnless(absent, 'on real weights', () => {
  const embedder = miniLmEmbedder({ folder })
  afterAll(() => embedder.close())

  it.each([
    ['so what would that cost me', 'It is 5 dollars a month.'],
    ['can I speak to a human please', 'Ask for Ann.'],
    ['I would like to book a table for two', 'model'],
    ['when are you open', 'model'],
    ['my name is Peter', 'model'],
  ])('%j → %j', async (said, wanted) => {
    expect(await answer(said, embedder)).toBe(wanted)
  })
})
