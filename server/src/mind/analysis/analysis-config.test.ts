// Every key of an agent's call_analysis_config, from its settings to what a model is asked and what is found. The title
// of a test begins with its key, by which docs/agent-fields.md finds it.
import type { CallAnalysis, TranscriptLine } from '@parley/contract'
import { expect, it } from 'vitest'
import { ScriptedModel, says } from '../../../test/props/call/scripted-model.ts'
import { wishesOf } from '../../resources/calls/plan/plan-analysis.ts'
import { readModel } from '../../resources/calls/plan/read-model.ts'
import { askModel } from './call-analyzer.ts'

const said: TranscriptLine = {
  turn: 1,
  role: 'user',
  content: 'I pay on Friday.',
  start_time: 0,
  end_time: 1,
  interrupted: false,
}

const answer = {
  summary: 'They pay.',
  sentiment: { label: 'positive', score: 0.4, reason: 'Friendly.' },
  data_extraction: { amount: '1,200' },
  disposition: { promised: { matched: true, reason: 'They said so.' } },
  unknown: {},
}

const nothing = { summary: false, sentiment: false, data_extraction: false }

/** What the model is told, and what is made of its answer. */
async function analysed(wishes: Partial<CallAnalysis>) {
  const model = new ScriptedModel([[says(JSON.stringify(answer))], [says(JSON.stringify(answer))]])
  const plan = {
    ...wishesOf({ ...nothing, ...wishes }),
    rubric: null,
    timezone: undefined,
    model: readModel({}),
  }
  const call = { plan, transcript: [said], at: new Date('2026-11-15T10:00:00Z') }
  const found = await askModel(model, call, new AbortController().signal)
  return { found, told: model.requests[0]?.messages[0]?.content ?? '' }
}

it('call_analysis_config.summary: there is one', async () => {
  expect((await analysed({ summary: true })).found.summary).toBe('They pay.')
  expect((await analysed({ sentiment: true })).found.summary).toBeNull()
})

it('call_analysis_config.summary_prompt: as this asks for it', async () => {
  const { told } = await analysed({ summary: true, summary_prompt: 'In one German sentence.' })
  expect(told).toContain('"summary": a text. In one German sentence.')
})

it('call_analysis_config.sentiment: the mood is found', async () => {
  expect((await analysed({ sentiment: true })).found.sentiment).toMatchObject({ label: 'positive' })
  expect((await analysed({ summary: true })).found.sentiment).toBeNull()
})

it('call_analysis_config.sentiment_prompt: as this asks for it', async () => {
  const { told } = await analysed({ sentiment: true, sentiment_prompt: 'Judge strictly.' })
  expect(told).toMatch(/"sentiment": .* Judge strictly\./)
})

const amount = { field_name: 'amount', data_type: 'number', description: 'what they owe' }
const extracted = (field: Partial<typeof amount>, data_extraction = true) =>
  analysed({ summary: true, data_extraction, data_extraction_fields: [{ ...amount, ...field }] })

it('call_analysis_config.data_extraction: values are looked for', async () => {
  expect((await extracted({})).found.dataExtraction).toEqual({ amount: 1200 })
  expect((await extracted({}, false)).found.dataExtraction).toBeNull()
})

it('call_analysis_config.data_extraction_fields.field_name: by these names', async () => {
  expect((await extracted({ field_name: 'debt' })).told).toContain('"debt" (number, what they owe)')
})

it('call_analysis_config.data_extraction_fields.data_type: of these types', async () => {
  const valueAs = async (data_type: string) => (await extracted({ data_type })).found.dataExtraction?.amount
  expect([await valueAs('number'), await valueAs('string')]).toEqual([1200, '1,200'])
})

it('call_analysis_config.data_extraction_fields.description: that mean this', async () => {
  expect((await extracted({ description: 'the sum' })).told).toContain('"amount" (number, the sum)')
})

const promised = { field_name: 'promised', description: 'will pay', action: { name: 'stop' } }
const decided = (field: Partial<NonNullable<CallAnalysis['disposition_fields']>[number]>) =>
  analysed({ disposition_fields: [{ ...promised, ...field }] })

it('call_analysis_config.disposition_fields.field_name: questions by these names', async () => {
  expect((await decided({ field_name: 'agreed' })).told).toContain('"agreed" (will pay)')
})

it('call_analysis_config.disposition_fields.description: that ask this', async () => {
  expect((await decided({ description: 'agrees' })).told).toContain('"promised" (agrees)')
})

it('call_analysis_config.disposition_fields.action.name: what follows from a yes', async () => {
  const { found } = await decided({ action: { name: 'call back' } })
  expect(found.disposition?.promised).toMatchObject({ matched: true, action: { name: 'call back' } })
})

it('call_analysis_config.disposition_fields.action.metadata: with what it was given', async () => {
  const { found } = await decided({ action: { name: 'stop', metadata: { queue: 7 } } })
  expect(found.disposition?.promised).toMatchObject({ action: { metadata: { queue: 7 } } })
})
