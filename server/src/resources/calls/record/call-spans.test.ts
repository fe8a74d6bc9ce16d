// A finished call as a trace: whatever a turn consists of, its steps cover it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rootContextOf } from '../../../platform/telemetry/trace-context.ts'
import type { FinishedSpan } from '../../../platform/telemetry/traces.ts'
import type { TurnTimes } from '../../../ports/call.ts'
import { callSpans, type TimedOutcome } from './call-spans.ts'

const [sessionId, batchId] = ['0199a0b1-c2d3-7e4f-8a5b-6c7d8e9f0a1b', '0199a0b1-c2d3-7e4f-8a5b-6c7d8e9f0a2c']
const startedMs = 1_800_000_000_000

function spansOf(
  times: TurnTimes | undefined,
  more: Partial<TimedOutcome['outcome']> = {},
  { batch, greeting = 'Hello.' }: { batch?: string; greeting?: string } = {},
) {
  const latency = { turn: 1, endpointingMs: 0, sttMs: 0, llmMs: 0, ttsMs: 0, totalMs: 0, times }
  const outcome = {
    status: 'completed',
    hangupReason: 'user_hangup',
    errorMessage: null,
    answeredBy: 'human',
    provider: 'sip',
    answeredAfterMs: 500,
    durationSeconds: 20,
    engines: [],
    transcript: [],
    latency: [latency],
    usage: { llmInputTokens: 0, llmOutputTokens: 0, models: [] },
    ...more,
  } as unknown as TimedOutcome['outcome']
  const ids = { sessionId, workspaceId: 'w', agentId: 'a', batchId: batch ?? null }
  const turn = { consent: null, sayings: { greeting } } as unknown as TimedOutcome['plan']['turn']
  const plan = { ...ids, callType: 'outbound', turn } as const
  return callSpans({ plan, outcome, startedMs, endedMs: startedMs + 900 })
}

const named = (spans: readonly FinishedSpan[], name: string) => spans.find((span) => span.name === name)

/** What of the turn no step covers, in milliseconds. */
function uncoveredMs(spans: readonly FinishedSpan[]): number {
  const turn = named(spans, 'turn') as FinishedSpan
  const steps = spans.filter(({ parent }) => parent?.spanId === turn.context.spanId)
  let [reachedMs, missingMs] = [turn.startMs, 0]
  for (const { startMs, endMs } of steps.toSorted((a, b) => a.startMs - b.startMs)) {
    missingMs += Math.max(0, Math.min(startMs, turn.endMs) - reachedMs)
    reachedMs = Math.max(reachedMs, endMs)
  }
  expect(reachedMs).toBeCloseTo(turn.endMs, 3)
  return missingMs
}

const whole: TurnTimes = {
  endMs: 4_000,
  wordsMs: 4_120,
  decidedMs: 4_500,
  askedMs: 4_220,
  firstTokenMs: 4_480,
  voicedMs: 4_510,
  soundMs: 4_570,
  heardMs: 4_710,
}

describe('a turn', () => {
  it('is from the last sound to the first, and its steps have their names', () => {
    const spans = spansOf(whole)
    expect(named(spans, 'turn')).toMatchObject({
      startMs: startedMs + 4_500,
      endMs: startedMs + 5_210,
    })
    expect(spans.slice(3).map(({ name }) => name)).toEqual([
      ...['recognition', 'endpointing', 'chat', 'first clause', 'synthesis', 'line'],
    ])
    expect(uncoveredMs(spans)).toBe(0)
  })

  it.each<[string, Partial<TurnTimes>]>([
    ['answered without a model', { askedMs: undefined, firstTokenMs: undefined }],
    ['answered by kept speech', { voicedMs: undefined }],
    ['whose sound was not seen to come', { soundMs: undefined }],
    [
      'of which only the end is known',
      { askedMs: undefined, firstTokenMs: undefined, voicedMs: undefined, soundMs: undefined },
    ],
    ['whose model was asked late', { askedMs: 4_505, firstTokenMs: 4_508 }],
    ['whose answer was ready before it was over', { firstTokenMs: 4_300, voicedMs: 4_310, soundMs: 4_400 }],
  ])('%s is covered by its steps', (_, times) => {
    expect(uncoveredMs(spansOf({ ...whole, ...times }))).toBe(0)
  })

  it('is covered by its steps, however they overlap', () => {
    const ms = fc.integer({ min: 0, max: 3_000 })
    fc.assert(
      fc.property(fc.array(ms, { minLength: 7, maxLength: 7 }), fc.boolean(), (gaps, isAhead) => {
        const [words = 0, decided = 0, asked = 0, token = 0, voiced = 0, sound = 0, heard = 0] = gaps
        const [endMs, decidedMs] = [4_000, 4_000 + decided]
        const askedMs = isAhead ? 4_000 + Math.min(asked, decided) : decidedMs + asked
        const firstTokenMs = askedMs + token
        const voicedMs = firstTokenMs + voiced
        const soundMs = voicedMs + sound
        const heardMs = Math.max(soundMs, decidedMs) + heard
        const times = { endMs, wordsMs: endMs + Math.min(words, decided), decidedMs, askedMs }
        expect(uncoveredMs(spansOf({ ...times, firstTokenMs, voicedMs, soundMs, heardMs }))).toBeLessThan(1)
      }),
    )
  })
})

const usage = { sttSeconds: 0, llmInputTokens: 30, llmOutputTokens: 4, ttsCharacters: 0 }
const answering = {
  provider: 'custom',
  model: 'llama3',
  requests: 1,
  abortedRequests: 0,
  inputTokens: 30,
  outputTokens: 4,
  cachedTokens: 0,
  cacheWriteTokens: 0,
}
const mind = { part: 'language-model', asked: null, why: null } as const
const askedAt = (provider: string) => ({
  engines: [{ ...mind, used: 'llama3 at models.example:8000', asks: { provider, model: 'llama3' } }],
  usage: { ...usage, models: [{ ...answering, provider }] },
})

describe('a model', () => {
  it('is a client span with the bare name of the model, and its host is sent nowhere', () => {
    const spans = spansOf(whole, askedAt('custom'))
    expect(named(spans, 'chat llama3')).toMatchObject({
      kind: 'client',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'llama3',
        'gen_ai.response.time_to_first_chunk': 0.26,
      },
    })
    expect(JSON.stringify(spans)).not.toContain('models.example')
  })

  it.each([
    ['openai', 'openai'],
    ['anthropic', 'anthropic'],
    ['gemini', 'gcp.gemini'],
    ['azure', 'azure.ai.openai'],
    ['mistral', 'mistral_ai'],
    ['vllm', 'vllm'],
    ['custom', 'openai_compatible'],
  ])('of %s has the provider %s', (provider, written) => {
    const chat = named(spansOf(whole, askedAt(provider)), 'chat llama3')
    expect(chat?.attributes['gen_ai.provider.name']).toBe(written)
  })

  it('is not spoken of where the built-in policy answers', () => {
    const used = 'built-in dialogue policy, not a language model'
    const spans = spansOf(whole, { engines: [{ ...mind, used }] })
    expect(named(spans, 'chat')).toMatchObject({ attributes: { 'parley.engine': used } })
    expect(named(spans, 'chat')?.kind).not.toBe('client')
    expect(JSON.stringify(spans)).not.toContain('gen_ai.')
  })
})

describe('an answered call', () => {
  const said = { turn: 0, role: 'agent', content: 'Hello.', interrupted: false } as const
  const transcript = [{ ...said, startSeconds: 0.06, endSeconds: 1.2 }]

  it('says when it was answered', () => {
    const [call] = spansOf(whole)
    expect(call).toMatchObject({ name: 'call', events: [{ name: 'answer', atMs: startedMs + 500 }] })
  })

  it('has a greeting from the answer to its first sound', () => {
    expect(named(spansOf(whole, { transcript }), 'greeting')).toMatchObject({
      parent: rootContextOf(sessionId),
      startMs: startedMs + 500,
      endMs: startedMs + 560,
    })
  })

  it('without a greeting has none, whatever the agent says first', () => {
    expect(named(spansOf(whole, { transcript }, { greeting: '' }), 'greeting')).toBeUndefined()
    const later = transcript.map((entry) => ({ ...entry, turn: 1 }))
    expect(named(spansOf(whole, { transcript: later }), 'greeting')).toBeUndefined()
  })
})

it('a call of a batch is linked to the batch, others to nothing', () => {
  expect(spansOf(whole, {}, { batch: batchId })[0]).toMatchObject({
    name: 'call',
    links: [rootContextOf(batchId)],
  })
  expect(spansOf(whole)[0]?.links).toEqual([])
})

it('a call that was never answered is its dial, and a failure says why', () => {
  const failed = { status: 'failed', answeredAfterMs: null, errorMessage: 'The trunk is away.' } as const
  const [call, dial, ...more] = spansOf(undefined, failed)
  expect(more).toEqual([])
  expect(call).toMatchObject({ error: 'The trunk is away.', endMs: startedMs + 900, events: [] })
  expect(dial).toMatchObject({ name: 'dial', parent: rootContextOf(sessionId), endMs: startedMs + 900 })
})
