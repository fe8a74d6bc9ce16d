// Whether the caller agrees to being recorded. The question comes before the greeting, and its answer is not the model's: a
// "no" to it is not a "no" to anything else.
import type { ConsentRules, TurnRules } from '../../ports/call-plan.ts'
import { judgeTurn } from './end-of-turn.ts'
import { type Act, type Concern, type Step, speaking, step, type Turn } from './turn-state.ts'
import { answered, heardWords, lastHeardMs } from './utterance.ts'
import { wordsOf } from './word-list.ts'

// Whoever says nothing to it by then lets the call go on.
const patienceMs = 4_000

const refuses =
  /(?<![\p{L}\p{M}])(?:no|nope|nah|not|don't|do not|never|rather not|without|object|refuse|disagree|nein|nicht|ungern|non|não|nunca)(?![\p{L}\p{M}])|^(?:いいえ|だめ|不|नहीं)/u
// "Not a problem", "I don't mind": a no that is a yes.
const agreesAnyway =
  /\b(?:(?:not|no) (?:a )?(?:problem|issue|worries|objections?)|(?:don't|do not) (?:mind|care|object)|why not|kein problem|nichts dagegen|pas de problème|sem problema)\b/u
const agrees =
  /^(?:(?:oh|um|uh|well|hi|hello) )*(?:yes|yeah|yep|yup|sure|ok|okay|of course|go ahead|fine|alright|all right|that's (?:fine|ok|okay|all right)|absolutely|certainly|i agree|ja|gerne?|einverstanden|oui|d'accord|s[iíì]|claro|certo|sim|va bene|de acuerdo)(?![\p{L}\p{M}])|^(?:はい|是|好|可以|同意|हाँ|हां|जी)/u
// At any time, of those who had agreed.
const stopsRecording =
  /\b(?:stop|don't|do not|cancel|turn off|switch off) (?:the |this |my )?(?:record(?:ing)?|being recorded)\b|\bwant (?:to be recorded no|no recording)\b/u

export type ConsentAnswer = 'yes' | 'no' | 'unclear'

export function consentIn(words: string): ConsentAnswer {
  const text = wordsOf(words).join(' ')
  if (agreesAnyway.test(text)) return 'yes'
  if (refuses.test(text)) return 'no'
  return agrees.test(text) ? 'yes' : 'unclear'
}

/** What is said first. */
export const openingOf = ({ consent, sayings }: TurnRules): string => consent?.question ?? sayings.greeting

/** Asked to the end: the recording begins with the answer, so that a yes can be heard in it. */
export const noteAsked = (turn: Turn, { consent }: TurnRules): Step =>
  consent && turn.consent.is === 'asked' && !turn.consent.toTheEnd
    ? step(
        { ...turn, consent: { is: 'asked', toTheEnd: true, sinceMs: turn.nowMs } },
        ...(consent.needsYes ? [] : [{ do: 'record', what: 'begin' } as const]),
      )
    : step(turn)

export const askConsent: Concern = (turn, rules) => {
  const { consent: rule } = rules
  const { consent, caller, agent, nowMs } = turn
  if (!rule) return undefined
  const isDone = judgeTurn(caller, nowMs, rules) === 'done'
  if (consent.is === 'given') return isDone && stopsRecording.test(spoken(turn)) ? withdraw(turn) : undefined
  if (consent.is !== 'asked' || agent.is === 'speaking') return undefined
  const isSilent =
    caller.voice.is === 'quiet' && heardWords(caller) === '' && nowMs - consent.sinceMs >= patienceMs
  return isDone || isSilent ? decide(turn, rule, rules, consent.toTheEnd) : undefined
}

const spoken = ({ caller }: Turn): string => wordsOf(heardWords(caller)).join(' ')

function decide(turn: Turn, rule: ConsentRules, rules: TurnRules, toTheEnd: boolean): Step {
  const { caller, nowMs } = turn
  const words = heardWords(caller)
  const answer = words === '' ? 'unclear' : consentIn(words)
  const isGiven = answer === 'yes' || (answer === 'unclear' && toTheEnd && !rule.needsYes)
  const endMs = lastHeardMs(caller)
  const acts: readonly Act[] = [
    ...(words ? [{ do: 'overhear', words, startMs: caller.startMs ?? endMs, endMs } as const] : []),
    { do: 'record', what: isGiven ? 'begin' : 'drop' },
    { do: 'note', note: noteOn(answer, isGiven) },
  ]
  const decided: Turn = {
    ...turn,
    caller: answered(caller, nowMs),
    consent: { is: isGiven ? 'given' : 'refused' },
    answerer: { ...turn.answerer, earlier: `${turn.answerer.earlier} ${words}`.trim() },
  }
  const text = [isGiven ? '' : rule.refused, rules.sayings.greeting].filter(Boolean).join(' ')
  if (!text) return step(decided, ...acts)
  const generation = turn.generation + 1
  return step({ ...decided, generation, agent: speaking('greeting', generation, nowMs) }, ...acts, {
    do: 'say',
    generation,
    what: 'greeting',
    text,
    held: false,
  })
}

function noteOn(answer: ConsentAnswer, isGiven: boolean): string {
  if (answer === 'yes') return 'The caller agreed to being recorded.'
  if (answer === 'no') return 'The caller did not agree to being recorded: this call has no recording.'
  return isGiven
    ? 'The caller was told of the recording and did not object.'
    : 'The caller did not say yes to being recorded: this call has no recording.'
}

/** The words stay for the model to answer. */
const withdraw = (turn: Turn): Step =>
  step(
    { ...turn, consent: { is: 'refused' } },
    { do: 'record', what: 'drop' },
    { do: 'note', note: 'The caller asked not to be recorded any more: the recording was deleted.' },
  )
