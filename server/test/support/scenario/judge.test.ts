// Every check can fail: a correct call, with one defect at a time.
import { describe, expect, it } from 'vitest'
import type { CallOutcome } from '../../../src/ports/call.ts'
import { faultsOf, type ScenarioSound } from './judge.ts'
import { isSaid, missingIn } from './like-words.ts'
import type { Must } from './scenario.ts'

const must: Must = {
  status: 'completed',
  hangup_reason: 'user_hangup',
  answered_by: 'human',
  greeting_within_ms: 300,
  agent_says: ['hello there', 'your table is ready'],
  agent_never_says: ['one hundred other places'],
  caller_is_understood: ['a table for two'],
  transcript_has: ['hello there'],
  transcript_lacks: ['one hundred other places'],
  max_gap_ms: 1_000,
  agent_silent_within_ms_of: { caller_start: 1, ms: 400 },
  agent_resumes_within_ms_of: { caller_end: 2, ms: 1_000 },
  no_cut_between: [2, 3],
  max_overlap_ms: 300,
  max_clicks: 0,
  lasts_ms: [5_000, 9_000],
}

const heard: ScenarioSound = {
  totalMs: 8_000,
  caller: [1_000, 3_000, 4_000].map((fromMs) => ({ fromMs, toMs: fromMs + 800 })),
  agent: [
    { fromMs: 100, toMs: 1_200, text: 'Hello there.' },
    { fromMs: 5_600, toMs: 7_000, text: 'Your table is ready.' },
  ],
  agentClicksMs: [],
  agentBackgroundDb: -42,
}

const entry = (role: 'agent' | 'user', content: string) =>
  ({ turn: 1, role, content, startSeconds: 0, endSeconds: 1, interrupted: false }) as const

const outcome: CallOutcome = {
  status: 'completed',
  terminatedBy: 'user',
  hangupReason: 'user_hangup',
  errorMessage: null,
  answeredBy: 'human',
  answeredAfterMs: 300,
  durationSeconds: 8,
  callSid: null,
  transcript: [entry('agent', 'Hello there.'), entry('user', 'A table for two.')],
  latency: [],
  usage: { sttSeconds: 0, llmInputTokens: 0, llmOutputTokens: 0, ttsCharacters: 0, models: [] },
  engines: [],
  recorded: true,
}

describe('the judge', () => {
  it('finds no faults in a correct call', () => {
    expect(
      faultsOf({ ...must, agent_resumes_within_ms_of: { caller_end: 3, ms: 1_000 } }, heard, outcome),
    ).toEqual([])
  })

  it.each<[string, Partial<Must>, Partial<ScenarioSound>, Partial<CallOutcome>]>([
    ['the call is busy', {}, {}, { status: 'busy' }],
    ['it ended by api_stopped', {}, {}, { hangupReason: 'api_stopped' }],
    ['answered by voicemail', {}, {}, { answeredBy: 'voicemail' }],
    ['the greeting comes after 100 ms', { greeting_within_ms: 50 }, {}, {}],
    [
      'not heard to say “your table is ready”',
      { agent_says: ['your table is ready', 'hello there', 'your table is ready'] },
      {},
      {},
    ],
    ['the agent says “hello there”', { agent_never_says: ['hello there'] }, {}, {}],
    ['“a table for two” is not understood', {}, {}, { transcript: [entry('agent', 'Hello there.')] }],
    ['the transcript lacks “good evening sir”', { transcript_has: ['good evening sir'] }, {}, {}],
    ['which nobody heard', { transcript_lacks: ['hello there'] }, {}, {}],
    ['waits 800 ms', { max_gap_ms: 700 }, {}, {}],
    ['the agent answers nothing', {}, { caller: [] }, {}],
    ['falls silent 200 ms', { agent_silent_within_ms_of: { caller_start: 1, ms: 100 } }, {}, {}],
    ['falls silent NaN ms', { agent_silent_within_ms_of: { caller_start: 2, ms: 100 } }, {}, {}],
    ['goes on 1800 ms', {}, {}, {}],
    [
      'cuts in at 5600 ms',
      { no_cut_between: [2, 4] },
      { caller: [...heard.caller, { fromMs: 6_000, toMs: 6_100 }] },
      {},
    ],
    ['is heard 3 times only', { no_cut_between: [2, 4] }, {}, {}],
    ['both speak at once for 200 ms', { max_overlap_ms: 100 }, {}, {}],
    ['clicks at 3010', {}, { agentClicksMs: [3_010] }, {}],
    ['a sound of -42 dB', { agent_background_db: [-40, -30] }, {}, {}],
    ['lasts 8000 ms', { lasts_ms: [0, 7_000] }, {}, {}],
  ])('%s', (fault, wanted, sounds, record) => {
    const faults = faultsOf({ ...must, ...wanted }, { ...heard, ...sounds }, { ...outcome, ...record })
    expect(faults.join('\n')).toContain(fault)
  })
})

describe('fuzzy matching of phrases', () => {
  it.each([
    ['a flight to Rome with pleasure', 'A flight to roam, with pleasure.', true],
    ['a flight to Rome with pleasure', 'A slight to roam, with pleasure.', false],
    ['five five five zero one four', 'My number is 555, 0 1 4.', true],
    ['see you tomorrow', 'See you to-morrow!', true],
    ['hello', 'Yellow.', false],
    ['the book is here', 'The cook was near.', false],
  ])('%s / %s', (phrase, text, said) => {
    expect(isSaid(phrase, text)).toBe(said)
  })

  it('requires phrases in order', () => {
    expect(missingIn(['one apple', 'two pears'], 'Two pears and one apple')).toEqual(['two pears'])
  })
})
