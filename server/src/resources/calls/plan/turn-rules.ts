// From an agent's settings to the turn rules of a call: times in milliseconds, and the built-in sentences.
import { type CalledAgent, usualEndpointingMs } from '@parley/contract'
import type { ConsentRules, TurnRules } from '../../../ports/call-plan.ts'
import type { Fill } from './fill-variables.ts'
import { type OwnSentences, ownSentences } from './own-sentences.ts'
import type { TelephoneBehaviour, Words } from './read-telephone.ts'

const overQuestion =
  'Is this conversation over, so that the call should be ended now? It is over when the caller has said goodbye or ' +
  'needs nothing more.'

const seconds = (count: number): number => (count > 0 ? count * 1_000 : Number.POSITIVE_INFINITY)

export interface TurnRulesOptions {
  readonly telephone: TelephoneBehaviour
  /** Whether we place the call; then a machine may pick up. */
  readonly isOutbound: boolean
  readonly consent?: ConsentRules | null
}

export function turnRules(agent: CalledAgent, fill: Fill, options: TurnRulesOptions): TurnRules {
  const { telephone, isOutbound, consent = null } = options
  const task = agent.task_config
  const languages = languagesOf(agent)
  const own = sentencesIn(languages)
  // The contract fills in an English default, which an agent in another language did not choose.
  const isDefault = task.check_user_online_message === english.areYouThere
  const greeting = fill(agent.agent_welcome_message ?? '').trim()
  const inOwn = (words: Words | null) => fill(inLanguage(words, languages)).trim()
  return {
    language: languages[0],
    ringingMs: telephone.ringingMs,
    answering: isOutbound
      ? {
          onVoicemail: telephone.onVoicemail,
          voicemailMessage: inOwn(telephone.voicemailMessage),
          // A greeting says who calls; without one the agent's name has to do.
          screeningAnswer: inOwn(telephone.screeningAnswer) || greeting || own.screening(agent.agent_name),
        }
      : null,
    keys: telephone.keys,
    consent,
    endpointingMs: agent.transcriber?.endpointing ?? usualEndpointingMs,
    unfinishedMs: Math.max(0, task.incremental_delay),
    thinkAhead: task.optimize_latency,
    wordsToInterrupt: Math.max(0, task.number_of_words_for_interruption),
    backoffMs: Math.max(0, task.interruption_backoff_period),
    hangUpAfterSilenceMs: seconds(task.hangup_after_silence),
    askIfThereAfterMs: task.check_if_user_online
      ? seconds(task.trigger_user_online_message_after)
      : Number.POSITIVE_INFINITY,
    longestCallMs: seconds(task.call_terminate),
    fillers: task.use_fillers,
    backchannels: task.backchanneling
      ? {
          afterMs: Math.max(0, task.backchanneling_start_delay) * 1_000,
          gapMs: Math.max(1, task.backchanneling_message_gap) * 1_000,
        }
      : null,
    overQuestion: task.hangup_after_LLMCall ? fill(task.call_cancellation_prompt || overQuestion) : null,
    sayings: {
      greeting,
      areYouThere: fill(isDefault ? own.areYouThere : task.check_user_online_message).trim(),
      farewell: fill(inLanguage(task.call_hangup_message, languages)).trim(),
      apology: own.apology,
      sayAgain: own.sayAgain,
      connecting: own.connecting,
      notConnected: own.notConnected,
      callerWaits: own.callerWaits,
      takeCall: own.takeCall,
      fillers: own.fillers,
      lookups: own.lookups,
      backchannels: own.backchannels,
    },
  }
}

/** Instead of the greeting of a call that another process has begun. */
export const interruptedWords = (agent: CalledAgent): string => sentencesIn(languagesOf(agent)).interrupted

const english = sentencesIn([])

function sentencesIn(languages: readonly string[]): OwnSentences {
  const spoken = languages.map(primary).find((code) => Object.hasOwn(ownSentences, code)) ?? 'en'
  const own = ownSentences[spoken]
  if (!own) throw new Error(`there are no sentences in ${spoken}`)
  return own
}

/** The transcriber's language takes precedence over the agent's. */
export const languagesOf = (agent: CalledAgent): readonly string[] =>
  [agent.transcriber?.language, agent.language, agent.synthesizer?.language].filter(
    (language) => language !== undefined,
  )

/** "en-GB" is served by "en-GB", then by "en". If nothing matches: English, then the first one. */
export function inLanguage(
  message: string | Readonly<Record<string, string>> | null | undefined,
  languages: readonly string[],
): string {
  if (message === null || message === undefined) return ''
  if (typeof message === 'string') return message
  const byTag = new Map(Object.entries(message).map(([tag, text]) => [tag.toLowerCase(), text]))
  const wanted = languages.flatMap((language) => [language.toLowerCase(), primary(language)])
  const tag = [...wanted, 'en'].find((candidate) => byTag.has(candidate))
  return (tag === undefined ? [...byTag.values()][0] : byTag.get(tag)) ?? ''
}

function primary(language: string): string {
  return language.toLowerCase().split(/[-_]/)[0] ?? ''
}
