import { describe, expect, it } from 'vitest'
import {
  begin,
  type CalleeAct,
  type CalleeEvent,
  follow,
  listensToWords,
  type Plan,
  type ScriptStep,
} from './script.ts'

const say = (text: string): ScriptStep['what'] => ({ do: 'say', text })
const plan = (steps: readonly ScriptStep[], afterwards: Plan['afterwards'] = 'silence'): Plan => ({
  steps,
  afterwards,
})

/** Feeds events at their times, with a tick every 20 ms between them, and returns what the callee did and when. */
function play(script: Plan, events: readonly (readonly [atMs: number, CalleeEvent])[], untilMs: number) {
  const done: [number, string][] = []
  let { next } = begin(script, 0)
  const handle = (event: CalleeEvent, nowMs: number) => {
    const move = follow(script, next, event, nowMs)
    next = move.next
    for (const act of move.acts) if (act.do !== 'prepare') done.push([nowMs, shown(act)])
  }
  for (let nowMs = 0; nowMs <= untilMs; nowMs += 20) {
    for (const [atMs, event] of events) if (atMs > nowMs - 20 && atMs <= nowMs) handle(event, nowMs)
    handle({ type: 'tick' }, nowMs)
  }
  return done
}

const shown = (act: CalleeAct) =>
  act.do === 'say' ? act.text : act.do === 'sound' ? act.name : act.do === 'press' ? act.keys : act.do

const starts: CalleeEvent = { type: 'agent-starts' }
const stops: CalleeEvent = { type: 'agent-stops' }
const finished: CalleeEvent = { type: 'finished' }
const words = (text: string): CalleeEvent => ({ type: 'agent-words', text })

const agentDone = { of: 'agent-done', afterMs: 0 } as const

describe('a step that waits for the agent', () => {
  const script = plan([{ when: agentDone, what: say('a') }])

  it.each([
    [
      'runs when it has spoken and was quiet for a while',
      [
        [100, starts],
        [1000, stops],
      ],
      [[1600, 'a']],
    ],
    [
      'does not run in its pause between two sentences',
      [
        [100, starts],
        [1000, stops],
        [1300, starts],
        [2000, stops],
      ],
      [[2600, 'a']],
    ],
    ['does not run while it speaks', [[100, starts]], []],
    ['does not run before it has spoken', [], []],
  ] as [string, [number, CalleeEvent][], [number, string][]][])('%s', (_, events, acts) => {
    expect(play(script, events, 4000)).toEqual(acts)
  })

  it('waits again after the callee has spoken', () => {
    const twice = plan([
      { when: agentDone, what: say('a') },
      { when: agentDone, what: say('b') },
    ])
    const once: [number, CalleeEvent][] = [
      [100, starts],
      [1000, stops],
      [2000, finished],
    ]
    expect(play(twice, once, 6000)).toEqual([[1600, 'a']])
    expect(play(twice, [...once, [3000, starts], [4000, stops]], 6000)).toEqual([
      [1600, 'a'],
      [4600, 'b'],
    ])
  })

  it('counts an agent that never stopped speaking over the callee', () => {
    const cough = plan([
      { when: { of: 'agent-speaks', afterMs: 500 }, what: { do: 'sound', name: 'cough', forMs: null } },
      { when: agentDone, what: say('b') },
    ])
    const events: [number, CalleeEvent][] = [
      [0, starts],
      [1100, finished],
      [3000, stops],
    ]
    expect(play(cough, events, 5000)).toEqual([
      [500, 'cough'],
      [3600, 'b'],
    ])
  })

  it('does not take an agent that fell silent at an interruption for one that answered', () => {
    const interruption = plan([
      { when: { of: 'agent-speaks', afterMs: 500 }, what: say('wait') },
      { when: agentDone, what: say('b') },
    ])
    const events: [number, CalleeEvent][] = [
      [0, starts],
      [800, stops],
      [1500, finished],
    ]
    expect(play(interruption, events, 5000)).toEqual([[500, 'wait']])
  })
})

describe('a step with a pause', () => {
  it('runs that long after the one before, whatever the agent does', () => {
    const script = plan([
      { when: { of: 'now', afterMs: 400 }, what: say('my number is') },
      { when: { of: 'now', afterMs: 900 }, what: say('five') },
    ])
    expect(
      play(
        script,
        [
          [1000, finished],
          [1200, starts],
        ],
        3000,
      ),
    ).toEqual([
      [400, 'my number is'],
      [1900, 'five'],
    ])
  })

  it('a silence delays the next step', () => {
    const script = plan([
      { when: { of: 'now', afterMs: 0 }, what: { do: 'stay-silent', ms: 1000 } },
      { when: { of: 'now', afterMs: 0 }, what: { do: 'hang-up' } },
    ])
    expect(play(script, [], 3000)).toEqual([[1000, 'hang-up']])
  })
})

describe('a step that interrupts the agent', () => {
  const script = plan([
    { when: { of: 'agent-speaks', afterMs: 700 }, what: say('wait') },
    { when: { of: 'agent-speaks', afterMs: 300 }, what: say('no') },
  ])

  it('counts from the beginning of the turn, not of the sentence', () => {
    expect(
      play(
        script,
        [
          [100, starts],
          [500, stops],
          [740, starts],
        ],
        1000,
      ),
    ).toEqual([[800, 'wait']])
  })

  it('and the next one counts from the end of the one before', () => {
    expect(
      play(
        script,
        [
          [100, starts],
          [1500, finished],
        ],
        3000,
      ),
    ).toEqual([
      [800, 'wait'],
      [1800, 'no'],
    ])
  })
})

describe('a step that waits for words', () => {
  const script = plan([
    { when: { of: 'agent-says', words: 'which date', afterMs: 0 }, what: say('tomorrow') },
  ])

  it.each([
    [
      'runs after a turn that contains them, however they are written',
      [
        [0, starts],
        [900, stops],
        [1200, words('So, which date?')],
      ],
      [[1500, 'tomorrow']],
    ],
    [
      'runs when they arrive late',
      [
        [0, starts],
        [900, stops],
        [2500, words('Which date')],
      ],
      [[2500, 'tomorrow']],
    ],
    [
      'does not run after other words',
      [
        [0, starts],
        [900, stops],
        [1200, words('Hello there.')],
      ],
      [],
    ],
  ] as [string, [number, CalleeEvent][], [number, string][]][])('%s', (_, events, acts) => {
    expect(play(script, events, 4000)).toEqual(acts)
  })
})

describe('after the last step', () => {
  const one = [{ when: agentDone, what: say('a') }]
  const turn = (atMs: number, text: string): [number, CalleeEvent][] => [
    [atMs, starts],
    [atMs + 800, stops],
    [atMs + 1000, words(text)],
  ]

  it('the callee is silent', () => {
    expect(play(plan(one), [...turn(0, ''), [2000, finished], ...turn(3000, 'Hello?')], 9000)).toHaveLength(1)
  })

  it('the steps start over', () => {
    const acts = play(plan(one, 'repeat'), [...turn(0, ''), [2000, finished], ...turn(3000, '')], 9000)
    expect(acts).toEqual([
      [1400, 'a'],
      [4400, 'a'],
    ])
  })

  it('the callee answers what it hears, and leaves after a goodbye', () => {
    const events = [
      ...turn(0, 'What is your name?'),
      [2500, finished],
      ...turn(3000, 'Goodbye.'),
      [5500, finished],
    ]
    expect(play(plan([], 'talk'), events as [number, CalleeEvent][], 9000)).toEqual([
      [1400, 'My name is Anna Miller.'],
      [4400, 'Thank you. Goodbye.'],
      [5500, 'hang-up'],
    ])
  })

  it('the callee says so when it heard a voice and no words', () => {
    expect(
      play(
        plan([], 'talk'),
        [
          [0, starts],
          [800, stops],
        ],
        4000,
      ),
    ).toEqual([[3300, 'Sorry, I did not hear you.']])
  })

  it('the callee breaks the silence twice, then leaves', () => {
    const acts = play(
      plan([], 'talk'),
      [
        [9000, finished],
        [18_000, finished],
      ],
      30_000,
    )
    expect(acts).toEqual([
      [8000, 'Hello?'],
      [17_000, 'Hello?'],
      [26_000, 'hang-up'],
    ])
  })
})

it('the next words are prepared ahead', () => {
  const script = plan([{ when: agentDone, what: say('a') }])
  expect(begin(script, 0).acts).toEqual([{ do: 'prepare', text: 'a' }])
})

it.each([
  ['a callee that talks', plan([], 'talk'), true],
  [
    'one that waits for words',
    plan([{ when: { of: 'agent-says', words: 'x', afterMs: 0 }, what: say('a') }]),
    true,
  ],
  ['one that only waits for silence', plan([{ when: agentDone, what: say('a') }]), false],
])('%s: needs a transcriber?', (_, script, listens) => {
  expect(listensToWords(script)).toBe(listens)
})
