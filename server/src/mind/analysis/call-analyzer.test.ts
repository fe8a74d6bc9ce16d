// An analysis by a language model: over the real wire, with the answer validated against the request.
import type { CallAnalysis } from '@parley/contract'
import { afterEach, expect, it } from 'vitest'
import { type Answer, type ModelServer, openModelServer } from '../../../test/props/servers/model-server.ts'
import { wishesOf } from '../../resources/calls/plan/plan-analysis.ts'
import { readModel } from '../../resources/calls/plan/read-model.ts'
import { modelVendors } from '../../vendors/index.ts'
import { streamedModel } from '../../vendors/over/thinks/streamed-model.ts'
import { openTrustedConnections } from '../model/choose-model.ts'
import { responseFormat } from './answer-schema.ts'
import { askModel } from './call-analyzer.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const wishes: CallAnalysis = {
  summary: true,
  summary_prompt: 'In one German sentence.',
  sentiment: true,
  data_extraction: true,
  data_extraction_fields: [
    { field_name: 'amount', data_type: 'number', description: 'what they owe' },
    { field_name: 'paid', data_type: 'boolean' },
    { field_name: 'due', data_type: 'date' },
    { field_name: 'name' },
  ],
  disposition_fields: [{ field_name: 'promised', description: 'will pay', action: { name: 'stop' } }],
}
const rubric = {
  passScore: 70,
  questions: [
    { name: 'greeted', question: 'Did it greet?', answer: 'yes-no', weight: 1, pass: true },
    { name: 'clear', question: 'How clear was it?', answer: 'scale-1-5', weight: 2, pass: 4 },
  ],
} as const
const good = {
  summary: 'Kurz gesagt.',
  sentiment: { label: 'Positive', score: 0.4, reason: 'Friendly.' },
  disposition: { promised: { matched: true, reason: 'They said so.' }, made_up: { matched: true } },
  data_extraction: { amount: '$1,200', paid: 'no', due: null, name: 'Ada', made_up: 1 },
  unknown: { due: 'No day was named.' },
  qa: { greeted: { answer: true, reason: 'Hello.' }, clear: { answer: 4, reason: 'Mostly.' } },
}
const found = {
  summary: 'Kurz gesagt.',
  sentiment: { label: 'positive', score: 0.4, reason: 'Friendly.' },
  disposition: { promised: { matched: true, reason: 'They said so.', action: { name: 'stop' } } },
  dataExtraction: { amount: 1200, paid: false, due: null, name: 'Ada' },
  reasons: { 'data_extraction.due': 'No day was named.' },
  judgements: { greeted: { value: true, reason: 'Hello.' }, clear: { value: 4, reason: 'Mostly.' } },
}

const words = (text: string): Answer => ({ words: text.match(/.{1,7}/gs) ?? [] })

async function analysed(...answers: Answer[]) {
  const server: ModelServer = await openModelServer(...answers)
  const dispatcher = openTrustedConnections()
  cleanups.push(
    () => server.close(),
    () => dispatcher.destroy(),
  )
  const vendor = { provider: 'custom', vendor: modelVendors.custom }
  const model = streamedModel(
    { ...vendor, baseUrl: server.baseUrl, apiKey: undefined, dispatcher },
    { model: 'm', timeouts: { firstTokenMs: 3_000, silenceMs: 3_000 } },
  )
  const line = {
    turn: 1,
    role: 'user',
    content: 'I pay.',
    start_time: 0,
    end_time: 1,
    interrupted: false,
  } as const
  const call = {
    plan: { ...wishesOf(wishes), rubric, timezone: undefined, model: readModel({}) },
    transcript: [line],
    at: new Date('2026-11-15T10:00:00Z'),
  }
  return { server, result: askModel(model, call, new AbortController().signal) }
}

it('sends the model what is wanted, and takes only that from the answer', async () => {
  const { server, result } = await analysed(words(`Sure: \`\`\`json\n${JSON.stringify(good)}\n\`\`\``))
  expect(await result).toEqual(found)
  const [system, user] = server.asked[0]?.body.messages ?? []
  for (const wish of ['In one German sentence.', '"amount" (number, what they owe)', '"promised" (will pay)'])
    expect(system?.content).toContain(wish)
  expect(user?.content).toBe('Caller: I pay.')
})

it.each([
  ['is not JSON', 'I would rather not.', 'not one JSON object'],
  ['lacks something', JSON.stringify({ ...good, sentiment: undefined }), '\\"sentiment\\" is missing'],
  [
    'has a value of another type',
    JSON.stringify({ ...good, data_extraction: { ...good.data_extraction, amount: 'a lot' } }),
    'data_extraction.amount\\" is \\"a lot\\" and must be a number or null',
  ],
  [
    'is off the scale',
    JSON.stringify({ ...good, qa: { ...good.qa, clear: { answer: 9, reason: '' } } }),
    'qa.clear.answer\\" must be a number from 1 to 5',
  ],
  [
    'has a wrong value',
    JSON.stringify({ ...good, sentiment: { label: 'meh', score: 0 } }),
    'sentiment.label',
  ],
])('an answer that %s is requested once more, with the reason', async (_, first, reason) => {
  const { server, result } = await analysed(words(first), words(JSON.stringify(good)))
  expect(await result).toEqual(found)
  expect(JSON.stringify(server.asked[1]?.body.messages.at(-1))).toContain(reason)
})

it('what is still wrong then is null, with the reason; the rest is kept', async () => {
  const wrong = words(
    JSON.stringify({ ...good, data_extraction: { ...good.data_extraction, due: 'soon' }, sentiment: 'fine' }),
  )
  const { result } = await analysed(wrong, wrong)
  const { dataExtraction, sentiment, reasons } = await result
  expect(dataExtraction).toEqual({ amount: 1200, paid: false, due: null, name: 'Ada' })
  expect(sentiment).toBeNull()
  expect(reasons).toMatchObject({
    'data_extraction.due': expect.stringContaining('must be a date as YYYY-MM-DD'),
    sentiment: expect.stringContaining('could not be used'),
  })
})

it('a second answer that cannot be read leaves the first, as far as it goes', async () => {
  const { result } = await analysed(words(JSON.stringify({ ...good, summary: 7 })), words('No!'))
  expect(await result).toMatchObject({ summary: null, judgements: found.judgements })
})

it('the answer has a schema for servers that hold their models to one', () => {
  const plan = { ...wishesOf(wishes), rubric, timezone: undefined, model: readModel({}) }
  expect(responseFormat(plan)).toMatchObject({
    type: 'json_schema',
    json_schema: {
      strict: true,
      schema: {
        additionalProperties: false,
        required: ['summary', 'sentiment', 'disposition', 'data_extraction', 'unknown', 'qa'],
        properties: {
          data_extraction: {
            properties: { amount: { type: ['number', 'null'] }, due: { type: ['string', 'null'] } },
          },
          qa: { properties: { clear: { properties: { answer: { type: ['integer', 'null'] } } } } },
        },
      },
    },
  })
})

it('a second invalid answer is a failure, in one sentence', async () => {
  const { result } = await analysed(words('No.'), words('No!'))
  await expect(result).rejects.toThrow(
    "the model's analysis cannot be read: Your answer is not one JSON object.",
  )
})

it.each<[string, Answer]>([
  ['that refuses', { status: 500 }],
  ['that does not answer', 'no answer'],
])('a model %s is a failure', async (_, answer) => {
  const { result } = await analysed(answer)
  await expect(result).rejects.toThrow(/the language model m at /)
})
