import { describe, expect, it } from 'vitest'
import { readScript } from './script-schema.ts'

const sounds = new Set(['cough', 'beep'])
const stepOf = (step: object) => readScript({ steps: [step] }, sounds).steps[0]

describe('a written script', () => {
  it('without any keys makes a talkative callee', () => {
    expect(readScript({}, sounds)).toMatchObject({
      outcome: 'answer',
      ringMs: 300,
      steps: [],
      afterwards: 'talk',
    })
  })

  it('makes the callee say its steps and nothing else', () => {
    expect(readScript({ steps: [{ say: 'a' }] }, sounds).afterwards).toBe('silence')
  })

  it.each([
    ['speech waits for the agent', { say: 'a' }, { of: 'agent-done', afterMs: 0 }],
    ['unless a pause is given', { say: 'a', after_ms: 900 }, { of: 'now', afterMs: 900 }],
    ['or both are', { wait_for: 'agent_done', say: 'a', after_ms: 900 }, { of: 'agent-done', afterMs: 900 }],
    [
      'words are waited for',
      { when_agent_says: 'date', say: 'a' },
      { of: 'agent-says', words: 'date', afterMs: 0 },
    ],
    [
      'an interruption',
      { while_agent_speaks: { after_ms: 700, say: 'a' } },
      { of: 'agent-speaks', afterMs: 700 },
    ],
    ['a hang-up happens at once', { hang_up: true }, { of: 'now', afterMs: 0 }],
    ['silence begins at once', { stay_silent_ms: 5000 }, { of: 'now', afterMs: 0 }],
    ['keys wait like words', { press: '1' }, { of: 'agent-done', afterMs: 0 }],
    ['digits are waited for', { when_digits: '12#', say: 'a' }, { of: 'digits', digits: '12#', afterMs: 0 }],
    ['a hold begins at once', { hold_ms: 500 }, { of: 'now', afterMs: 0 }],
    ['a codec changes at once', { switch_codec: 'PCMU' }, { of: 'now', afterMs: 0 }],
  ])('%s', (_, step, when) => {
    expect(stepOf(step)?.when).toEqual(when)
  })

  it.each([
    ['an unknown key', { steps: [{ play: '/etc/passwd' }] }, 'steps[0]: Unrecognized key: "play"'],
    ['an unknown key at the top level', { speed: 2 }, 'Unrecognized key: "speed"'],
    [
      'a file for a sound',
      { steps: [{ sound: '/tmp/a.wav' }] },
      "steps[0] names the sound '/tmp/a.wav'; there are cough, beep",
    ],
    [
      'unknown hold music',
      { steps: [{ hold_ms: 9, hold_sound: 'polka' }] },
      "steps[0] names the sound 'polka'",
    ],
    ['music without a hold', { steps: [{ say: 'a', hold_sound: 'beep' }] }, 'has hold_sound without hold_ms'],
    ['invalid digits', { steps: [{ when_digits: 'x', say: 'a' }] }, 'has keys that no telephone has'],
    ['unknown early media', { early_media: { sound: 'polka' } }, "early_media names the sound 'polka'"],
    ['an unknown codec', { codec: 'MP3' }, 'codec: '],
    ['a transfer target with a mistake', { transfer: { target: { outcome: 'maybe' } } }, 'transfer: '],
    [
      'a transfer target with an unknown sound',
      { transfer: { target: { steps: [{ sound: 'x' }] } } },
      "the sound 'x'",
    ],
    ['a step that does nothing', { steps: [{ after_ms: 3 }] }, 'steps[0] needs exactly one of'],
    [
      'a step that does two things',
      { steps: [{ say: 'a', hang_up: true }] },
      'steps[0] needs exactly one of',
    ],
    [
      'two conditions',
      { steps: [{ wait_for: 'agent_done', when_agent_says: 'x', say: 'a' }] },
      'more than one of wait_for, when_agent_says and when_digits',
    ],
    [
      'an interruption with a condition',
      { steps: [{ after_ms: 3, while_agent_speaks: { say: 'a' } }] },
      'stands alone',
    ],
    ['a length without a sound', { steps: [{ say: 'a', for_ms: 3 }] }, 'for_ms without a sound'],
    ['invalid keys', { steps: [{ press: '12x' }] }, 'steps[0].press: has keys that no telephone has'],
    ['an object with a length for a list', { steps: { length: { toString: null } } }, 'steps: '],
    ['a negative time', { ring_ms: -1 }, 'ring_ms: '],
    ['a noise above full scale', { noise: { track: 'street', level_db: 6 } }, 'noise.level_db: '],
  ])('refuses %s in one sentence', (_, written, sentence) => {
    expect(() => readScript(written, sounds)).toThrow(sentence)
    expect(() => readScript(written, sounds)).toThrow(/^metadata\.sandbox cannot be played: /)
  })
})
