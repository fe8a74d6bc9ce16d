// The turn logic as a table, core cases: the beginning, the end of a turn, replies made ahead, interruptions.
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
const greets = sayings({ greeting: 'Welcome.' })
const said = (words: string): Script => [voice, 600, hush, 180, final(words)]
/** The agent is speaking its first reply. */
const replying: Script = [...answered, ...said('hello there'), 500, began(1), 1_000]
const before = ['ask-final', 'hear "hello there"', 'think 1']

const rows: Record<string, readonly Row[]> = {
  'the beginning': [
    {
      name: 'the greeting is synthesized while it rings and played from the answer on',
      rules: greets,
      script: [{ type: 'dialled' }, 5_000, { type: 'answered' }],
      wants: ['say greeting (held)', 'confirm 1'],
    },
    { name: 'without a greeting the agent listens first', script: [...answered, 2_000], wants: [] },
    {
      name: 'a phone that rings for a minute is not answered',
      script: [{ type: 'dialled' }, 60_000],
      wants: ['end no-answer carrier dial_no_answer'],
    },
    {
      name: 'a greeting that ends as the caller begins leaves nothing paused',
      rules: greets,
      script: [
        ...answered,
        began(1),
        200,
        { type: 'voice-start', atMs: Number.NaN, sure: false },
        200,
        drained(1),
      ],
      wants: ['say greeting (held)', 'confirm 1', 'pause', 'resume'],
    },
    {
      name: 'a second answer changes nothing',
      rules: greets,
      script: [...answered, { type: 'answered' }],
      wants: ['say greeting (held)', 'confirm 1'],
    },
  ],
  'the end of a turn': [
    {
      name: 'complete words and the endpointing silence end the turn',
      script: [...answered, ...said('hello there'), 320],
      wants: before,
    },
    {
      name: 'a shorter silence does not',
      script: [...answered, ...said('hello there'), 300],
      wants: ['ask-final'],
    },
    {
      name: 'words that sound unfinished wait for the incremental delay as well',
      script: [...answered, ...said('my number is'), 1_200],
      wants: ['ask-final'],
    },
    {
      name: 'and end the turn after it',
      script: [...answered, ...said('my number is'), 1_240],
      wants: ['ask-final', 'hear "my number is"', 'think 1'],
    },
    {
      name: 'a number dictated in groups is one turn',
      script: [
        ...answered,
        ...said('five five five'),
        900,
        ...said('oh one two three'),
        900,
        ...said('four five six'),
        400,
      ],
      wants: [
        ...['ask-final', 'ask-final', 'ask-final'],
        'hear "five five five oh one two three four five six"',
        'think 1',
      ],
    },
    {
      name: 'a transcriber whose finals cut the utterance is not asked at a breath',
      rules: { finalAfterMs: 400, endpointingMs: 700 },
      script: [...answered, voice, 600, partial('a table'), hush, 380],
      wants: [],
    },
    {
      name: 'but after its own silence',
      rules: { finalAfterMs: 400, endpointingMs: 700 },
      script: [...answered, voice, 600, partial('a table'), hush, 400],
      wants: ['ask-final'],
    },
    {
      name: 'and no later than the silence that ends a turn',
      rules: { finalAfterMs: 400, endpointingMs: 240 },
      script: [...answered, voice, 600, partial('a table'), hush, 240],
      wants: ['ask-final'],
    },
    {
      name: 'a pause inside a sentence joins its parts',
      script: [...answered, ...said('I would like to'), 700, ...said('book a table'), 400],
      wants: ['ask-final', 'ask-final', 'hear "I would like to book a table"', 'think 1'],
    },
    {
      name: 'the turn waits for the words of a voice that was detected',
      script: [...answered, ...said('He was not'), 20, voice, 900, hush, 1_200, final('a bad man')],
      wants: ['ask-final', 'ask-final', 'hear "He was not a bad man"', 'think 1'],
    },
    {
      name: 'the turn waits for a pending final',
      script: [...answered, voice, 600, partial('hello'), hush, 900, final('hello there')],
      wants: before,
    },
    {
      name: 'but not indefinitely: the words so far are used',
      script: [...answered, voice, 600, partial('hello'), hush, 1_800],
      wants: ['ask-final', 'hear "hello"', 'think 1'],
    },
    {
      name: 'a final that comes after that is not a second turn, and corrects the transcript',
      script: [
        ...answered,
        voice,
        600,
        partial('hello there'),
        hush,
        1_900,
        final('Hello there, Ann.'),
        began(1),
        drained(1),
        3_000,
      ],
      wants: [...before, 'correct "Hello there, Ann."'],
    },
    {
      name: 'a voice without words is a noise',
      script: [...answered, voice, 400, hush, 3_000],
      wants: ['ask-final'],
    },
    {
      name: 'words too quiet for the voice detector are still a turn',
      script: [...answered, 1_000, final('hello there'), 600],
      wants: ['hear "hello there"', 'think 1'],
    },
    {
      name: 'a turn whose voice never ends is over when no word has come for long',
      script: [...answered, voice, 600, partial('hello there'), 3_000],
      wants: ['hear "hello there"', 'think 1'],
    },
    {
      name: 'pressed keys are gathered until a pause of two seconds',
      script: [...answered, { type: 'digit', digit: '4' }, 1_900, { type: 'digit', digit: '2' }, 2_000],
      wants: ['hear "pressed 42"', 'think 1'],
    },
    {
      name: 'the end key completes them at once, and is not one of them',
      script: [...answered, { type: 'digit', digit: '4' }, 500, { type: 'digit', digit: '#' }, 20],
      wants: ['hear "pressed 4"', 'think 1'],
    },
    {
      name: 'the end key alone is a key',
      script: [...answered, { type: 'digit', digit: '#' }, 2_000],
      wants: ['hear "pressed #"', 'think 1'],
    },
    {
      name: 'a menu takes its one key without a pause',
      rules: { keys: { pauseMs: 2_000, endKey: '#', most: 1 } },
      script: [...answered, { type: 'digit', digit: '7' }, 20],
      wants: ['hear "pressed 7"', 'think 1'],
    },
    {
      name: 'a key interrupts the agent, however many words it takes',
      rules: { wordsToInterrupt: 5, keys: { pauseMs: 2_000, endKey: '#', most: 1 } },
      script: [...replying, { type: 'digit', digit: '1' }, 200],
      wants: [...before, 'discard 1', 'hear "pressed 1"', 'think 2'],
    },
    {
      name: 'typed words are a turn at once, even if they sound unfinished',
      script: [...answered, { type: 'text', text: 'I would like to' }, 20],
      wants: ['hear "I would like to"', 'think 1'],
    },
    {
      name: 'typed words interrupt the agent, even if they are what people murmur while they listen',
      rules: { wordsToInterrupt: 5 },
      script: [...replying, { type: 'text', text: 'yes' }, 200],
      wants: [...before, 'discard 1', 'hear "yes"', 'think 2'],
    },
  ],
  'a reply made ahead': [
    {
      name: 'the model starts during the silence and is confirmed when the turn ends',
      rules: { thinkAhead: true },
      script: [...answered, voice, 600, partial('hello there'), hush, 200, final('hello there'), 400],
      wants: ['ask-final', 'think 1 ahead', 'hear "hello there"', 'confirm 1'],
    },
    {
      name: 'a caller who continues makes it start over',
      rules: { thinkAhead: true },
      script: [
        ...answered,
        ...said('hello there'),
        200,
        voice,
        500,
        partial('I need help'),
        hush,
        180,
        final('I need help'),
        500,
      ],
      wants: [
        ...['ask-final', 'think 1 ahead', 'discard 1', 'ask-final', 'think 2 ahead'],
        ...['hear "hello there I need help"', 'confirm 2'],
      ],
    },
    {
      name: 'a cough does not',
      rules: { thinkAhead: true },
      script: [...answered, ...said('hello there'), 200, voice, 100, hush, 300, final(''), 400],
      wants: ['ask-final', 'think 1 ahead', 'ask-final', 'hear "hello there"', 'confirm 1'],
    },
    {
      name: 'a final with different words makes it start over',
      rules: { thinkAhead: true },
      script: [...answered, voice, 600, partial('hello chair'), hush, 220, final('hello there'), 400],
      wants: ['ask-final', 'think 1 ahead', 'discard 1', 'think 2 ahead', 'hear "hello there"', 'confirm 2'],
    },
    {
      name: 'a reply that failed ahead is retried once when the turn ends',
      rules: { thinkAhead: true },
      script: [...answered, ...said('hello there'), 100, failed(1), 400],
      wants: ['ask-final', 'think 1 ahead', 'hear "hello there"', 'discard 1', 'think 2'],
    },
    {
      name: 'a hang-up that was made ahead is ignored',
      rules: { thinkAhead: true },
      script: [...answered, ...said('hello there'), 100, { type: 'hang-up-wanted', generation: 1 }],
      wants: ['ask-final', 'think 1 ahead'],
    },
  ],
  'an interruption': [
    { name: 'playback pauses at the first voice', script: [...replying, voice], wants: [...before, 'pause'] },
    {
      name: 'words make it an interruption',
      script: [...replying, voice, 400, partial('actually no')],
      wants: [...before, 'pause', 'discard 1'],
    },
    {
      name: 'a cough lets the sentence resume',
      script: [...replying, voice, 200, hush, 760],
      wants: [...before, 'pause', 'ask-final', 'resume'],
    },
    {
      name: 'a backchannel lets the sentence resume',
      script: [...replying, voice, 200, hush, 200, final('mhm')],
      wants: [...before, 'pause', 'ask-final', 'resume'],
    },
    {
      name: 'a long noise lets the sentence resume, and does not stop it again',
      script: [...replying, voice, 5_000],
      wants: [...before, 'pause', 'resume'],
    },
    {
      name: 'after a cough the next voice must last a little',
      script: [...replying, voice, 200, hush, 760, 500, voice, 200, hush, 700],
      wants: [...before, 'pause', 'ask-final', 'resume', 'ask-final'],
    },
    {
      name: 'a voice that began earlier is not an interruption',
      script: [...answered, ...said('hello there'), 500, voice, 40, began(1), 1_000],
      wants: [...before, 'pause'],
    },
    {
      name: 'a first frame sent just before the pause does not end it',
      rules: greets,
      script: [...answered, voice, began(1), 100],
      wants: ['say greeting (held)', 'confirm 1', 'pause'],
    },
    {
      name: 'words that arrive while the agent only thinks take its turn away',
      script: [...answered, ...said('hello there'), 400, voice, 300, partial('and one more thing')],
      wants: [...before, 'pause', 'discard 1'],
    },
    {
      name: 'with two words needed, one does not even pause it',
      rules: { wordsToInterrupt: 2 },
      script: [...replying, voice, 400, partial('no')],
      wants: before,
    },
    {
      name: 'with two words needed, two interrupt',
      rules: { wordsToInterrupt: 2 },
      script: [...replying, voice, 400, partial('no thanks')],
      wants: [...before, 'discard 1'],
    },
    {
      name: 'the hello of a person picking up does not interrupt the greeting',
      rules: greets,
      script: [...answered, began(1), 200, ...said('hello'), 3_000, drained(1), 3_000],
      wants: ['say greeting (held)', 'confirm 1', 'pause', 'ask-final', 'resume'],
    },
    {
      name: 'a stop phrase always interrupts',
      rules: { wordsToInterrupt: 5 },
      script: [...replying, voice, 400, partial('hold on')],
      wants: [...before, 'discard 1'],
    },
    {
      name: 'with 0 the agent is never interrupted, and what was said is the next turn',
      rules: { wordsToInterrupt: 0 },
      script: [...replying, ...said('stop please'), 2_000, drained(1), 20],
      wants: [...before, 'ask-final', 'hear "stop please"', 'think 2'],
    },
    {
      name: 'a backchannel in the middle of a long saying is not the next turn',
      script: [...replying, ...said('okay'), 3_000, drained(1), 2_000],
      wants: [...before, 'pause', 'ask-final', 'resume'],
    },
    {
      name: 'a yes over the last syllable is',
      script: [...replying, ...said('yes'), 300, drained(1), 600],
      wants: [...before, 'pause', 'ask-final', 'resume', 'hear "yes"', 'think 2'],
    },
    {
      name: 'the agent stays silent for the back-off',
      rules: { backoffMs: 2_000 },
      script: [...replying, ...said('no wait'), 1_900],
      wants: [...before, 'pause', 'ask-final', 'discard 1'],
    },
    {
      name: 'and speaks after it',
      rules: { backoffMs: 2_000 },
      script: [...replying, ...said('no wait'), 2_000],
      wants: [...before, 'pause', 'ask-final', 'discard 1', 'hear "no wait"', 'think 2'],
    },
  ],
}

describe.each(Object.entries(rows))('%s', (_, table) => {
  it.each(table)('$name', ({ rules, script, wants }) => {
    expect(play(script, rules).written).toEqual(wants)
  })
})
