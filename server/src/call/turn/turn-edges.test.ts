// The turn logic as a table, edge cases: silence, endings, answering machines, failing engines, fillers.
import { describe, expect, it } from 'vitest'
import {
  answered,
  began,
  drained,
  failed,
  final,
  hush,
  partial,
  play,
  type Script,
  voice,
} from '../../../test/props/call/turn-script.ts'
import type { TurnRules } from '../../ports/call-plan.ts'

interface Row {
  readonly name: string
  readonly rules?: Partial<TurnRules>
  readonly script: Script
  readonly wants: readonly string[]
}

const short = {
  fillers: ['One moment.'],
  lookups: ['Let me look that up.'],
  backchannels: ['Mhm.'],
  connecting: 'One moment.',
  notConnected: 'Nobody.',
  callerWaits: 'A caller.',
  takeCall: 'Yes?',
  sayAgain: 'Again?',
}
const sayings = (words: Partial<TurnRules['sayings']>): Partial<TurnRules> => ({
  sayings: { greeting: '', areYouThere: 'Hello?', farewell: '', apology: 'Sorry.', ...short, ...words },
})
const parting = sayings({ farewell: 'Goodbye.' })
const said = (words: string): Script => [voice, 600, hush, 180, final(words)]
/** The agent is speaking its first reply. */
const replying: Script = [...answered, ...said('hello there'), 500, began(1), 1_000]
const before = ['ask-final', 'hear "hello there"', 'think 1']

const rows: Record<string, readonly Row[]> = {
  silence: [
    {
      name: 'the agent asks once whether the caller is there, then hangs up',
      script: [...answered, 10_000, began(1), 2_000, drained(1), 10_000],
      wants: ['say are-you-there', 'end completed system inactivity_timeout'],
    },
    {
      name: 'the agent’s own speech is not the caller’s silence',
      script: [...replying, 60_000],
      wants: before,
    },
    {
      name: 'and its duration is not counted afterwards',
      script: [...replying, 15_000, drained(1), 9_000],
      wants: before,
    },
    {
      name: 'words start a new silence, with its own prompt',
      rules: { askIfThereAfterMs: 10_000 },
      script: [
        ...answered,
        10_000,
        began(1),
        drained(1),
        ...said('yes I am'),
        500,
        began(2),
        drained(2),
        10_000,
      ],
      wants: ['say are-you-there', 'ask-final', 'hear "yes I am"', 'think 2', 'say are-you-there'],
    },
    {
      name: 'noise does not end it',
      rules: { askIfThereAfterMs: Number.POSITIVE_INFINITY },
      script: [...answered, ...Array.from({ length: 20 }, () => [voice, 500, hush, 500]).flat()],
      wants: [...Array.from({ length: 20 }, () => 'ask-final'), 'end completed system inactivity_timeout'],
    },
    {
      name: 'the farewell is said first, and may not delay the end indefinitely',
      rules: { ...parting, askIfThereAfterMs: Number.POSITIVE_INFINITY },
      script: [...answered, 20_000, 10_000],
      wants: ['say farewell', 'end completed system inactivity_timeout'],
    },
  ],
  'the end': [
    {
      name: 'the maximum duration ends the call with the farewell',
      rules: { ...parting, longestCallMs: 3_000 },
      script: [...answered, ...said('hello there'), 2_500, began(2), 1_000, drained(2)],
      wants: [...before, 'discard 1', 'say farewell', 'end completed system max_duration_reached'],
    },
    {
      name: 'a model that says goodbye and hangs up is not followed by a second goodbye',
      rules: parting,
      script: [...replying, { type: 'hang-up-wanted', generation: 1 }, 500, drained(1)],
      wants: [...before, 'end completed agent end_call_tool'],
    },
    {
      name: 'one that hangs up without a word is',
      rules: parting,
      script: [
        ...answered,
        ...said('hello there'),
        500,
        { type: 'hang-up-wanted', generation: 1 },
        drained(1),
        drained(2),
      ],
      wants: [...before, 'say farewell', 'end completed agent end_call_tool'],
    },
    {
      name: 'a hang-up whose words are interrupted is cancelled',
      script: [
        ...replying,
        { type: 'hang-up-wanted', generation: 1 },
        voice,
        300,
        partial('one more question'),
        300,
      ],
      wants: [...before, 'pause', 'discard 1'],
    },
    {
      name: 'the model is asked whether the conversation has ended, and ends the call',
      rules: { ...parting, overQuestion: 'Over?' },
      script: [...replying, drained(1), { type: 'judged-over', generation: 1 }, drained(2)],
      wants: [...before, 'judge 1', 'say farewell', 'end completed agent agent_hangup'],
    },
    {
      name: 'unless the caller speaks again',
      rules: { ...parting, overQuestion: 'Over?' },
      script: [...replying, drained(1), voice, 200, partial('wait'), { type: 'judged-over', generation: 1 }],
      wants: [...before, 'judge 1'],
    },
    {
      name: 'a caller who hangs up ends the call',
      script: [...replying, { type: 'line-ended', cause: 'hangup', error: null }],
      wants: [...before, 'end completed user user_hangup'],
    },
    {
      name: 'a call stopped before the answer is canceled',
      script: [{ type: 'dialled' }, 500, { type: 'stop', why: 'api' }],
      wants: ['end canceled api api_stopped'],
    },
    {
      name: 'a call stopped after the answer is completed',
      script: [...answered, { type: 'stop', why: 'api' }],
      wants: ['end completed api api_stopped'],
    },
    {
      name: 'a draining worker is the reason of the end',
      script: [...answered, { type: 'stop', why: 'draining' }],
      wants: ['end failed system worker_lost'],
    },
    {
      name: 'a farewell under way determines the reason, even when the caller hangs up first',
      rules: { ...parting, longestCallMs: 1_000 },
      script: [...answered, 1_100, { type: 'line-ended', cause: 'hangup', error: null }],
      wants: ['say farewell', 'end completed system max_duration_reached'],
    },
    ...(
      [
        ['busy', 'busy carrier dial_busy'],
        ['no-answer', 'no-answer carrier dial_no_answer'],
        ['no-trunk', 'failed carrier trunk_unreachable'],
        ['failed', 'failed carrier dial_failed'],
        ['hangup', 'canceled user user_hangup'],
      ] as const
    ).map(([cause, end]) => ({
      name: `a line that ends with ${cause} before the answer`,
      script: [{ type: 'dialled' }, { type: 'line-ended', cause, error: null }] as const,
      wants: [`end ${end}`],
    })),
    {
      name: 'a trunk that has said nothing when the ringing time is over is not the recipient who did not answer',
      rules: { ringingMs: 7_000 },
      script: [{ type: 'dialled' }, 4_000, { type: 'out-of-reach' }, 3_100],
      wants: ['end failed carrier trunk_unreachable'],
    },
    {
      name: 'a trunk that was late, and a telephone that then rang in vain, is a recipient who did not answer',
      rules: { ringingMs: 7_000 },
      script: [{ type: 'dialled' }, 4_000, { type: 'out-of-reach' }, 500, { type: 'in-reach' }, 2_600],
      wants: ['end no-answer carrier dial_no_answer'],
    },
    {
      name: 'a line that breaks after the answer is a telephony error',
      script: [...answered, { type: 'line-ended', cause: 'failed', error: 'Cut.' }],
      wants: ['end failed carrier telephony_error'],
    },
  ],
  'an answering machine': [
    {
      name: 'its greeting ends the call',
      script: [...answered, voice, 2_000, partial('please leave a message after the tone')],
      wants: ['end completed system voicemail_detected'],
    },
    {
      name: 'a recording that only takes a breath as the agent finishes has not heard it',
      rules: { ...sayings({ greeting: 'Hello.' }), wordsToInterrupt: 9 },
      script: [
        ...[...answered, began(1), voice, 900, partial('thank you for calling us'), hush, 240, drained(1)],
        ...[160, voice, 2_000, partial('thank you for calling us we have moved'), 2_600],
      ],
      wants: [
        ...['say greeting (held)', 'confirm 1', 'ask-final'],
        'end completed system voicemail_detected',
      ],
    },
    {
      name: 'its beep ends the call',
      script: [...answered, 3_000, { type: 'beep' }],
      wants: ['end completed system voicemail_detected'],
    },
    {
      name: 'a beep in a conversation is ignored',
      rules: { askIfThereAfterMs: Number.POSITIVE_INFINITY, hangUpAfterSilenceMs: Number.POSITIVE_INFINITY },
      script: [...answered, 31_000, { type: 'beep' }],
      wants: [],
    },
  ],
  'an engine that fails': [
    {
      name: 'the model is asked again once, then the caller is',
      script: [...answered, ...said('hello there'), 400, failed(1), failed(2), began(3), 500, drained(3)],
      wants: [...before, 'discard 1', 'think 2', 'discard 2', 'say notice'],
    },
    {
      name: 'a second turn in a row without an answer ends the call',
      script: [
        ...[...answered, ...said('hello there'), 400, failed(1, true), began(2), 500, drained(2)],
        ...[...said('hello again'), 500, failed(3, true), drained(4)],
      ],
      wants: [
        ...[...before, 'discard 1', 'say notice', 'ask-final', 'hear "hello again"', 'think 3'],
        ...['discard 3', 'say farewell', 'end failed system llm_error'],
      ],
    },
    {
      name: 'a model that has failed for good is not asked again',
      script: [...answered, ...said('hello there'), 400, failed(1, true)],
      wants: [...before, 'discard 1', 'say notice'],
    },
    {
      name: 'what was said of a reply that broke is heard to its end first',
      script: [...replying, failed(1), 500, drained(1), began(2), 500, drained(2)],
      wants: [...before, 'discard 1', 'think 2'],
    },
    {
      name: 'and the apology comes after a second failure',
      script: [...replying, failed(1), drained(1), began(2), failed(2), 500, drained(2), drained(3)],
      wants: [...before, 'discard 1', 'think 2', 'say notice'],
    },
    {
      name: 'without a transcriber the agent apologizes and hangs up',
      script: [...answered, { type: 'recognition-failed', error: 'Deaf.' }, drained(1)],
      wants: ['say farewell', 'end failed system stt_error'],
    },
    {
      name: 'without a synthesizer it can only hang up',
      script: [...answered, { type: 'voice-failed', error: 'Mute.' }],
      wants: ['end failed system tts_error'],
    },
  ],
  fillers: [
    {
      name: 'a late model is covered by a filler, once',
      rules: { fillers: true },
      script: [...answered, ...said('hello there'), 4_000],
      wants: [...before, 'fill 1'],
    },
    {
      name: 'a model that has begun to answer is not',
      rules: { fillers: true },
      script: [...answered, ...said('hello there'), 400, { type: 'reply-words', generation: 1 }, 4_000],
      wants: before,
    },
    {
      name: 'a model that stays late is covered again, ten seconds after the first filler was heard',
      rules: { fillers: true },
      script: [
        ...[
          ...answered,
          ...said('hello there'),
          2_000,
          began(1),
          1_000,
          { type: 'quiet', generation: 1 } as const,
        ],
        11_000,
      ],
      wants: [...before, 'fill 1', 'fill 1'],
    },
    {
      name: 'a tool that follows words is covered once they are over and it has been silent for long',
      rules: { fillers: true },
      script: [
        ...[
          ...answered,
          ...said('hello there'),
          400,
          { type: 'reply-words', generation: 1 } as const,
          began(1),
        ],
        ...[{ type: 'reply-waits', generation: 1, for: 'tool' } as const, 5_000],
        ...[{ type: 'quiet', generation: 1 } as const, 2_500],
      ],
      wants: before,
    },
    {
      name: 'and then it is covered, and so is the model that reads its answer',
      rules: { fillers: true },
      script: [
        ...[
          ...answered,
          ...said('hello there'),
          400,
          { type: 'reply-words', generation: 1 } as const,
          began(1),
        ],
        ...[
          { type: 'reply-waits', generation: 1, for: 'tool' } as const,
          { type: 'quiet', generation: 1 } as const,
        ],
        ...[
          3_100,
          { type: 'sounding', generation: 1 } as const,
          500,
          { type: 'quiet', generation: 1 } as const,
        ],
        ...[{ type: 'reply-waits', generation: 1, for: 'model' } as const, 3_100],
      ],
      wants: [...before, 'fill 1', 'fill 1'],
    },
    {
      name: 'nothing is filled while the caller interrupts',
      rules: { fillers: true },
      script: [
        ...[
          ...answered,
          ...said('hello there'),
          400,
          { type: 'reply-words', generation: 1 } as const,
          began(1),
        ],
        ...[
          { type: 'reply-waits', generation: 1, for: 'tool' } as const,
          { type: 'quiet', generation: 1 } as const,
        ],
        ...[2_900, voice, 300],
      ],
      wants: [...before, 'pause'],
    },
    {
      name: 'the agent backchannels to a caller who speaks for long',
      rules: { backchannels: { afterMs: 5_000, gapMs: 3_000 } },
      script: [
        ...answered,
        voice,
        1_000,
        partial('so it began'),
        2_900,
        partial('so it began when'),
        1_500,
        partial('so it began when I'),
        2_800,
      ],
      wants: ['say backchannel', 'say backchannel'],
    },
    {
      name: 'but not to a noise',
      rules: { backchannels: { afterMs: 5_000, gapMs: 3_000 } },
      script: [...answered, voice, 9_000],
      wants: [],
    },
  ],
}

describe.each(Object.entries(rows))('%s', (_, table) => {
  it.each(table)('$name', ({ rules, script, wants }) => {
    expect(play(script, rules).written).toEqual(wants)
  })
})

describe('a call that is over', () => {
  it('produces no acts, whatever comes', () => {
    const { turn } = play([...answered, { type: 'stop', why: 'api' }])
    const after: Script = [
      voice,
      partial('hello'),
      hush,
      final('hello'),
      drained(1),
      { type: 'stop', why: 'api' },
      90_000,
    ]
    expect(play(after, {}, turn).written).toEqual([])
  })
})
