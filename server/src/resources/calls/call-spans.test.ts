// A finished call as a trace: whatever a turn consists of, its steps cover it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rootContextOf } from '../../platform/telemetry/trace-context.ts'
import type { FinishedSpan } from '../../platform/telemetry/traces.ts'
import type { TurnTimes } from '../../ports/call.ts'
import { callSpans, type TimedOutcome } from './call-spans.ts'

const [sessionId, batchId] = ['0199a0b1-c2d3-7e4f-8a5b-6c7d8e9f0a1b', '0199a0b1-c2d3-7e4f-8a5b-6c7d8e9f0a2c']
const startedMs = 1_800_000_000_000

function spansOf(times: TurnTimes | undefined, more: Partial<TimedOutcome['outcome']> = {}, batch?: string) {
  const latency = { turn: 1, endpointingMs: 0, sttMs: 0, llmMs: 0, ttsMs: 0, totalMs: 0, times }
  const outcome = {
    ...{
      status: 'completed',
      hangupReason: 'user_hangup',
      errorMessage: null,
      answeredBy: 'human',
      provider: 'sip',
    },
    ...{ answeredAfterMs: 500, durationSeconds: 20, engines: [], transcript: [], latency: [latency] },
    usage: { llmInputTokens: 0, llmOutputTokens: 0, models: [] },
    ...more,
  } as unknown as TimedOutcome['outcome']
  const ids = { sessionId, workspaceId: 'w', agentId: 'a', batchId: batch ?? null }
  return callSpans({ plan: { ...ids, callType: 'outbound' }, outcome, startedMs, endedMs: startedMs + 900 })
}

/** What of the turn no step covers, in milliseconds. */
function uncoveredMs(spans: readonly FinishedSpan[]): number {
  const turn = spans.find(({ name }) => name === 'turn') as FinishedSpan
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
  ...{ endMs: 4_000, wordsMs: 4_120, decidedMs: 4_500, askedMs: 4_220, firstTokenMs: 4_480 },
  ...{ voicedMs: 4_510, soundMs: 4_570, heardMs: 4_710 },
}

describe('a turn', () => {
  it('is from the last sound to the first, and its steps have their names', () => {
    const spans = spansOf(whole)
    expect(spans.find(({ name }) => name === 'turn')).toMatchObject({
      ...{ startMs: startedMs + 4_500, endMs: startedMs + 5_210 },
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

it('a call of a batch is linked to the batch, others to nothing', () => {
  expect(spansOf(whole, {}, batchId)[0]).toMatchObject({ name: 'call', links: [rootContextOf(batchId)] })
  expect(spansOf(whole)[0]?.links).toEqual([])
})

it('a call that was never answered is its dial, and a failure says why', () => {
  const failed = { status: 'failed', answeredAfterMs: null, errorMessage: 'The trunk is away.' } as const
  const [call, dial, ...more] = spansOf(undefined, failed)
  expect(more).toEqual([])
  expect(call).toMatchObject({ error: 'The trunk is away.', endMs: startedMs + 900 })
  expect(dial).toMatchObject({ name: 'dial', parent: rootContextOf(sessionId), endMs: startedMs + 900 })
})
