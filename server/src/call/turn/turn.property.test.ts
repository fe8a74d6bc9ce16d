// Invariants of every call, for any events in any order.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answered, play, type Script } from '../../../test/props/call/turn-script.ts'
import { type Act, isApart, type TurnEvent } from './turn-state.ts'

const generation = fc.integer({ min: 0, max: 12 })
const words = fc.constantFrom(
  'hello there',
  'mhm',
  'wait',
  'my number is',
  'five five five',
  'yes',
  'no thank you',
  'please leave a message',
  'please say your name and why you are calling',
  'the number you have dialed is not available',
)
const now = Number.NaN

const told = fc.record({
  type: fc.constant('end-of-turn' as const),
  is: fc.constantFrom('likely' as const, 'withdrawn' as const, 'certain' as const),
})

const event: fc.Arbitrary<TurnEvent> = fc.oneof(
  fc.constantFrom<TurnEvent>(
    { type: 'voice-start', atMs: now, sure: false },
    { type: 'voice-end', atMs: now },
  ),
  fc.record({ type: fc.constantFrom('partial' as const, 'final' as const), text: words }),
  told,
  fc.record({
    type: fc.constant('turn-detection' as const),
    detection: fc.option(
      fc.record({ isEager: fc.boolean(), longestSilenceMs: fc.integer({ min: 300, max: 8_000 }) }),
    ),
  }),
  fc.record({
    type: fc.constantFrom('began' as const, 'drained' as const, 'quiet' as const, 'sounding' as const),
    generation,
  }),
  fc.record({
    type: fc.constant('reply-waits' as const),
    generation,
    for: fc.constantFrom('model' as const, 'tool' as const),
  }),
  fc.record({
    type: fc.constantFrom('reply-words' as const, 'hang-up-wanted' as const, 'judged-over' as const),
    generation,
  }),
  fc.record({
    type: fc.constant('reply-failed' as const),
    generation,
    error: fc.constant('It broke.'),
    isFinal: fc.boolean(),
  }),
  fc.record({ type: fc.constant('digit' as const), digit: fc.constantFrom('1', '#') }),
  fc.record({ type: fc.constant('text' as const), text: fc.constantFrom('yes', 'to Ada') }),
)
const rare = fc.constantFrom<TurnEvent>(
  { type: 'beep' },
  { type: 'information-tones' },
  { type: 'transfer-wanted', generation: 3, destination: 0 },
  { type: 'transfer-ended', result: { is: 'failed', reason: 'Busy.' }, words: 'Nobody is there.' },
  { type: 'recognition-failed', error: 'Deaf.' },
  { type: 'voice-failed', error: 'Mute.' },
  { type: 'line-ended', cause: 'hangup', error: null },
  { type: 'stop', why: 'api' },
)
const apart = fc.constantFrom<TurnEvent>(
  { type: 'held' },
  { type: 'resumed' },
  { type: 'line-command', id: 1, command: { do: 'send-digits', digits: '12' } },
  { type: 'line-command', id: 2, command: { do: 'hold', on: true } },
  { type: 'line-command', id: 3, command: { do: 'hold', on: false } },
  { type: 'line-command', id: 4, command: { do: 'transfer', request: { to: '+15550100', mode: 'blind' } } },
  { type: 'own-hold', on: true },
  { type: 'own-hold', on: false },
  { type: 'transfer-ended', result: { is: 'failed', reason: 'Busy.' } },
  { type: 'transfer-ended', result: { is: 'bridged' } },
)
const waits = fc.integer({ min: 1, max: 150 }).map((ticks) => ticks * 20)
const script: fc.Arbitrary<Script> = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: event },
    { weight: 6, arbitrary: waits },
    { weight: 2, arbitrary: apart },
    { weight: 1, arbitrary: rare },
  ),
  { maxLength: 60 },
)
const rules = fc.record({
  answering: fc.record({
    onVoicemail: fc.constantFrom('hang-up' as const, 'leave-message' as const, 'go-on' as const),
    voicemailMessage: fc.constantFrom('', 'Please call back.'),
    screeningAnswer: fc.constant('It is Maple Dental.'),
  }),
  wordsToInterrupt: fc.integer({ min: 0, max: 3 }),
  thinkAhead: fc.boolean(),
  fillers: fc.boolean(),
  backchannels: fc.constantFrom(null, { afterMs: 500, gapMs: 500 }),
  overQuestion: fc.constantFrom(null, 'Over?'),
  sayings: fc.record({
    greeting: fc.constantFrom('', 'Welcome.'),
    areYouThere: fc.constant('Hello?'),
    farewell: fc.constantFrom('', 'Goodbye.'),
    apology: fc.constant('Sorry.'),
    sayAgain: fc.constant('Again?'),
    connecting: fc.constant('I will connect you.'),
    notConnected: fc.constant('Nobody is there.'),
    callerWaits: fc.constant('Somebody waits.'),
    takeCall: fc.constant('Yes or no?'),
    fillers: fc.constant(['One moment.']),
    lookups: fc.constant(['Let me look.']),
    backchannels: fc.constant(['Mhm.']),
  }),
})

const everyCall = (check: (acts: readonly Act[]) => void) =>
  fc.assert(
    fc.property(script, rules, (events, settings) => check(play([...answered, ...events], settings).acts)),
    { numRuns: 300 },
  )

const numberOf = (act: Act): number | undefined => ('generation' in act ? act.generation : undefined)

describe('in every call', () => {
  it('a discarded generation gets no more acts', () => {
    everyCall((acts) => {
      const gone = new Set<number>()
      for (const act of acts) {
        if (act.do !== 'judge') expect(gone.has(numberOf(act) ?? -1)).toBe(false)
        if (act.do === 'discard') gone.add(act.generation)
      }
    })
  })

  it('the call ends once, and nothing follows the end', () => {
    everyCall((acts) => {
      const end = acts.findIndex((act) => act.do === 'end')
      if (end >= 0) expect(end).toBe(acts.length - 1)
    })
  })

  it('playback resumes only where it was paused, and never after the paused saying was discarded', () => {
    everyCall((acts) => {
      let paused = false
      for (const act of acts) {
        if (act.do === 'pause') expect(paused).toBe(false)
        if (act.do === 'resume') expect(paused).toBe(true)
        if (act.do === 'pause') paused = true
        if (act.do === 'resume' || act.do === 'discard') paused = false
      }
    })
  })

  it('no generation is issued twice, and only what was made is confirmed', () => {
    everyCall((acts) => {
      const made = new Set<number>()
      const confirmed = new Set<number>()
      for (const act of acts) {
        if (act.do === 'say' || act.do === 'think') {
          expect(made.has(act.generation)).toBe(false)
          made.add(act.generation)
        }
        if (act.do !== 'confirm') continue
        expect(made.has(act.generation) && !confirmed.has(act.generation)).toBe(true)
        confirmed.add(act.generation)
      }
    })
  })

  it('a turn is always answered: something is thought or confirmed for it', () => {
    everyCall((acts) => {
      const heard = acts.flatMap((act) => (act.do === 'hear' ? [act.generation] : []))
      const answers = acts.flatMap((act) =>
        act.do === 'think' || act.do === 'confirm' ? [act.generation] : [],
      )
      for (const generation of heard) expect(answers).toContain(generation)
    })
  })

  it('words are answered within the longest silence, whatever a turn detection says or leaves unsaid', () => {
    const longestSilenceMs = fc.integer({ min: 300, max: 5_000 })
    fc.assert(
      fc.property(
        fc.record({ isEager: fc.boolean(), longestSilenceMs }),
        fc.array(told),
        (detection, ends) => {
          const spoken: Script = [
            { type: 'turn-detection', detection },
            ...[{ type: 'voice-start', atMs: now, sure: false } as const, 900],
            { type: 'partial', text: 'we close at six' },
            { type: 'voice-end', atMs: now },
            ...ends,
          ]
          const { acts } = play([...answered, ...spoken, detection.longestSilenceMs + 1_900])
          expect(acts.filter(({ do: what }) => what === 'hear')).toHaveLength(1)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('an undisturbed call ends by itself', () => {
    fc.assert(
      fc.property(script, rules, (events, settings) => {
        const { acts, turn } = play([...answered, ...events, 340_000], settings)
        // Two people who talk with each other are not cut off.
        fc.pre(turn.apart.transfer !== 'bridged')
        expect(acts.at(-1)?.do).toBe('end')
      }),
      { numRuns: 20 },
    )
  })

  it('nothing new is said, thought or measured while the two cannot hear each other', () => {
    fc.assert(
      fc.property(script, rules, (events, settings) => {
        let turn = play(answered, settings).turn
        for (const event of events) {
          const before = turn
          const next = play([event], settings, turn)
          turn = next.turn
          // Reports of engines may still be processed; time alone starts nothing.
          if (typeof event !== 'number' || !isApart(before) || before.life.is !== 'talking') continue
          expect(next.acts.filter(({ do: what }) => what !== 'end' && what !== 'discard')).toEqual([])
          if (turn.life.is === 'talking') expect(turn.quiet).toEqual(before.quiet)
        }
      }),
      { numRuns: 300 },
    )
  })
})
