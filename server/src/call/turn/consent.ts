// Whether the caller agrees to being recorded. The question comes before the greeting, and its answer is not the model's: a
// "no" to it is not a "no" to anything else.
import type { ConsentRules, TurnRules } from '../../ports/call-plan.ts'
import { judgeTurn } from './end-of-turn.ts'
import { type TurnLanguageCode, turnLanguages } from './languages/index.ts'
import { type Act, after, type Concern, say, type Turn, type TurnStep, turnStep } from './turn-state.ts'
import { answered, lastHeardMs, wordsOfCaller } from './utterance.ts'
import { wordsOf } from './word-list.ts'

// A caller who says nothing to the question within this time lets the call go on.
const patienceMs = 4_000

export type ConsentAnswer = 'yes' | 'no' | 'unclear'

export function consentIn(words: string, language: TurnLanguageCode): ConsentAnswer {
  const text = wordsOf(words).join(' ')
  const own = answerIn(text, language)
  // Many people answer in English whatever the language of the call is.
  return own === 'unclear' && language !== 'en' ? answerIn(text, 'en') : own
}

function answerIn(text: string, language: TurnLanguageCode): ConsentAnswer {
  const { agrees, refuses, agreesAnyway } = turnLanguages[language].consent
  if (agreesAnyway?.test(text)) return 'yes'
  if (refuses.test(text)) return 'no'
  return agrees.test(text) ? 'yes' : 'unclear'
}

const stopsRecording = (text: string, language: TurnLanguageCode): boolean =>
  [language, 'en' as const].some((code) => turnLanguages[code].consent.stopsRecording?.test(text))

/** The first words of the agent. */
export const openingOf = ({ consent, sayings }: TurnRules): string => consent?.question ?? sayings.greeting

/** Notes that the question was heard to its end: the recording begins with the answer, so that a yes can be heard in it. */
export const noteAsked = (turn: Turn, { consent }: TurnRules): TurnStep =>
  consent && turn.consent.is === 'asked' && !turn.consent.toTheEnd
    ? turnStep(
        { ...turn, consent: { is: 'asked', toTheEnd: true, sinceMs: turn.nowMs } },
        ...(consent.needsYes ? [] : [{ do: 'record', what: 'begin' } as const]),
      )
    : turnStep(turn)

export const askConsent: Concern = (turn, rules) => {
  const { consent: rule } = rules
  const { consent, caller, agent, nowMs } = turn
  if (!rule) return undefined
  const isDone = judgeTurn(turn, rules) === 'done'
  if (consent.is === 'given')
    return isDone && stopsRecording(spoken(turn), turn.language) ? withdraw(turn) : undefined
  if (consent.is !== 'asked' || agent.is === 'speaking') return undefined
  const isSilent =
    caller.voice.is === 'quiet' && wordsOfCaller(caller) === '' && nowMs - consent.sinceMs >= patienceMs
  return isDone || isSilent ? decide(turn, rule, rules, consent.toTheEnd) : undefined
}

const spoken = ({ caller }: Turn): string => wordsOf(wordsOfCaller(caller)).join(' ')

function decide(turn: Turn, rule: ConsentRules, rules: TurnRules, toTheEnd: boolean): TurnStep {
  const { caller, nowMs } = turn
  const words = wordsOfCaller(caller)
  const answer = words === '' ? 'unclear' : consentIn(words, turn.language)
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
  if (!text) return turnStep(decided, ...acts)
  return after(acts, say(decided, 'greeting', text))
}

function noteOn(answer: ConsentAnswer, isGiven: boolean): string {
  if (answer === 'yes') return 'The caller agreed to being recorded.'
  if (answer === 'no') return 'The caller did not agree to being recorded: this call has no recording.'
  return isGiven
    ? 'The caller was told of the recording and did not object.'
    : 'The caller did not say yes to being recorded: this call has no recording.'
}

/** Ends the question; the words stay for the model to answer. */
const withdraw = (turn: Turn): TurnStep =>
  turnStep(
    { ...turn, consent: { is: 'refused' } },
    { do: 'record', what: 'drop' },
    { do: 'note', note: 'The caller asked not to be recorded any more: the recording was deleted.' },
  )
