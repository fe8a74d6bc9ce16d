// The turn logic as a table: a turn detection tells the ends of turns, in place of our own wait.
import { describe, expect, it } from 'vitest'
import {
  answered,
  began,
  detecting,
  drained,
  end,
  final,
  hush,
  partial,
  play,
  type Script,
  undetected,
  voice,
} from '../../../test/props/call/turn-script.ts'
import type { TurnRules } from '../../ports/call-plan.ts'

interface Row {
  readonly name: string
  readonly rules?: Partial<TurnRules>
  readonly script: Script
  readonly wants: readonly string[]
}

const thinkAhead = { thinkAhead: true }
/** A call whose transcriber detects turns, with or without telling probable ends. */
const plainly: Script = [...answered, detecting(false, 2_000)]
const eagerly: Script = [...answered, detecting(true, 5_000)]
/** Words that have not been settled yet, and the end of the voice. */
const said = (words: string): Script => [voice, 700, partial(words), hush]
const settled = (words: string): Script => [final(words), end('certain')]
const taken = (words: string, generation = 1) => [`hear "${words}"`, `think ${generation}`]
/** The agent is speaking its first reply. */
const replying: Script = [
  ...[...plainly, ...said('is the pool open'), 300, ...settled('is the pool open')],
  ...[began(1), 1_000],
]
const before = taken('is the pool open')

const rows: Record<string, readonly Row[]> = {
  'an end that is told': [
    {
      name: 'ends the turn at once, long before our own wait',
      script: [...plainly, ...said('the blue one please'), 240, ...settled('The blue one, please.')],
      wants: taken('The blue one, please.'),
    },
    {
      name: 'ends it even if the words sound unfinished to us',
      script: [...plainly, ...said('I came here with'), 240, ...settled('I came here with'), 20],
      wants: taken('I came here with'),
    },
    {
      name: 'is not waited for by asking for the final, which would end the turn',
      script: [...plainly, ...said('it was in the'), 1_900],
      wants: [],
    },
    {
      name: 'is waited for through a pause that we would have taken for the end',
      script: [
        ...[...plainly, ...said('my policy number'), 1_500, voice, 900],
        ...[partial('my policy number is on the letter'), hush, 260],
        ...settled('My policy number is on the letter.'),
      ],
      wants: taken('My policy number is on the letter.'),
    },
    {
      name: 'counts although a noise in the street keeps the voice detector busy',
      script: [...plainly, voice, 900, partial('on Friday'), 600, ...settled('On Friday.')],
      wants: taken('On Friday.'),
    },
    {
      name: 'is too late for a caller who has gone on: the pause that it means is over',
      script: [
        ...[...plainly, ...said('I need a taxi'), 400, voice, 100, ...settled('I need a taxi')],
        ...[600, partial('to the airport'), hush, 300, ...settled('to the airport')],
      ],
      wants: taken('I need a taxi to the airport'),
    },
    {
      name: 'of words that are already answered starts nothing',
      script: [...plainly, ...said('yes'), 200, ...settled('Yes.'), end('certain'), 2_000],
      wants: taken('Yes.'),
    },
    {
      name: 'without a word of the caller is no turn',
      script: [...plainly, voice, 200, hush, final(''), end('certain'), 5_000],
      wants: ['ask-final'],
    },
    {
      name: 'is followed by a turn of its own',
      script: [
        ...[...plainly, ...said('one moment'), 200, ...settled('One moment.'), began(1), drained(1)],
        ...[2_000, ...said('now I can talk'), 200, ...settled('Now I can talk.')],
      ],
      wants: [...taken('One moment.'), ...taken('Now I can talk.', 2)],
    },
    {
      name: 'by an engine that was not to judge it ends nothing',
      script: [...answered, ...said('I came here with'), 100, ...settled('I came here with'), 1_000],
      wants: ['ask-final'],
    },
    {
      name: 'waits for the back-off after an interruption',
      rules: { backoffMs: 1_000 },
      script: [
        ...replying,
        voice,
        300,
        partial('no the other'),
        hush,
        100,
        ...settled('No, the other.'),
        500,
      ],
      wants: [...before, 'pause', 'discard 1'],
    },
  ],
  'an end that is not told': [
    {
      name: 'of a voice without words is asked for: the vendor may be deaf',
      script: [...eagerly, voice, 600, hush, 980, 20],
      wants: ['ask-final'],
    },
    {
      name: 'of a voice whose words are still to come is waited for a second',
      script: [...eagerly, voice, 300, hush, 980, ...settled('Yes.')],
      wants: taken('Yes.'),
    },
    {
      name: 'is decided by our own longest wait',
      script: [...plainly, ...said('are you there'), 3_000],
      wants: ['ask-final', ...taken('are you there')],
    },
    {
      name: 'no earlier',
      script: [...plainly, ...said('are you there'), 2_960],
      wants: ['ask-final'],
    },
    {
      name: 'is decided by our own wait at once when the words are settled without it',
      script: [...plainly, ...said('two adults'), 200, final('two adults'), 300],
      wants: taken('two adults'),
    },
    {
      name: 'is decided by our own wait at once when an engine stands in that tells none',
      script: [...plainly, ...said('two adults'), 700, undetected, final('two adults'), 20],
      wants: ['ask-final', ...taken('two adults')],
    },
    {
      name: 'comes after all: that final corrects the transcript',
      script: [...plainly, ...said('a table for tree'), 3_000, ...settled('A table for three.'), 600],
      wants: ['ask-final', ...taken('a table for tree'), 'correct "A table for three."'],
    },
    {
      name: 'in a noise that never stops, by the longest wait as well',
      script: [...answered, detecting(false, 4_000), voice, 600, partial('the second of May'), 5_000],
      wants: ['ask-final', ...taken('the second of May')],
    },
  ],
  'a probable end': [
    {
      name: 'has the reply prepared, and the certain one plays it',
      rules: thinkAhead,
      script: [...eagerly, ...said('two tickets'), end('likely'), 300, ...settled('two tickets')],
      wants: ['think 1 ahead', 'hear "two tickets"', 'confirm 1'],
    },
    {
      name: 'prepares nothing for an agent that does not think ahead',
      script: [...eagerly, ...said('two tickets'), end('likely'), 300, ...settled('two tickets')],
      wants: taken('two tickets'),
    },
    {
      name: 'is what replies are prepared by, in place of our own pause',
      rules: thinkAhead,
      script: [...eagerly, ...said('two tickets'), 1_500],
      wants: [],
    },
    {
      name: 'of a detection that tells none is guessed by our own pause',
      rules: thinkAhead,
      script: [...plainly, ...said('two tickets'), 300, ...settled('two tickets')],
      wants: ['think 1 ahead', 'hear "two tickets"', 'confirm 1'],
    },
    {
      name: 'that is withdrawn plays nothing, and the reply is made anew with all the words',
      rules: thinkAhead,
      script: [
        ...[...eagerly, ...said('two tickets'), end('likely'), 200, end('withdrawn'), voice, 600],
        ...[partial('two tickets for Sunday'), hush, 100, end('likely'), 200],
        ...settled('two tickets for Sunday'),
      ],
      wants: ['think 1 ahead', 'discard 1', 'think 2 ahead', 'hear "two tickets for Sunday"', 'confirm 2'],
    },
    {
      name: 'that is withdrawn for a cough keeps the reply',
      rules: thinkAhead,
      script: [
        ...[...eagerly, ...said('two tickets'), end('likely'), 200, end('withdrawn'), voice, 100, hush],
        ...[400, end('likely'), 100, ...settled('two tickets')],
      ],
      wants: ['think 1 ahead', 'hear "two tickets"', 'confirm 1'],
    },
    {
      name: 'that nothing follows is answered by our own longest wait',
      rules: thinkAhead,
      script: [...eagerly, ...said('two tickets'), end('likely'), 6_000],
      wants: ['think 1 ahead', 'ask-final', 'hear "two tickets"', 'confirm 1'],
    },
    {
      name: 'is no reason to answer a caller who speaks again',
      rules: thinkAhead,
      script: [...eagerly, ...said('two tickets'), 300, voice, 60, end('likely'), 2_000],
      wants: [],
    },
  ],
  'keys, interruptions and questions of our own': [
    {
      name: 'keys after words end the turn as ever, and the words of it that come later are not answered again',
      script: [
        ...[...plainly, ...said('my code is'), 100, { type: 'digit', digit: '4' } as const],
        ...[200, { type: 'digit', digit: '#' } as const, 20, ...settled('My code is'), 600],
      ],
      wants: ['ask-final', ...taken('my code is pressed 4'), 'correct "My code is pressed 4"'],
    },
    {
      name: 'keys that are complete while words are still open settle those at once',
      rules: { keys: { pauseMs: 2_000, endKey: '#', most: 1 } },
      script: [
        ...[...eagerly, voice, 500, partial('the second one'), { type: 'digit', digit: '2' } as const],
        ...[20, hush, ...settled('The second one.'), 600],
      ],
      wants: ['ask-final', ...taken('the second one pressed 2'), 'correct "The second one. pressed 2"'],
    },
    {
      name: 'an interruption asks at once what was said, and our own wait ends what we cut off so',
      script: [...replying, voice, 200, hush, 100, ...settled('no'), 400],
      wants: [...before, 'pause', 'ask-final', 'discard 1', ...taken('no', 2)],
    },
    {
      name: 'a cough lets the sentence resume',
      script: [...replying, voice, 200, hush, 760],
      wants: [...before, 'pause', 'ask-final', 'resume'],
    },
    {
      name: 'a yes over the last syllable is answered when the agent has finished',
      script: [
        ...replying,
        ...[voice, 200, hush, 60, ...settled('Yes.'), 200, drained(1), 20, voice],
        ...[500, partial('and the sauna'), hush, 200, ...settled('And the sauna?')],
      ],
      wants: [...before, 'pause', 'ask-final', 'resume', ...taken('Yes. And the sauna?', 2)],
    },
  ],
}

describe.each(Object.entries(rows))('%s', (_, table) => {
  it.each(table)('$name', ({ rules, script, wants }) => {
    expect(play(script, rules).written).toEqual(wants)
  })
})
