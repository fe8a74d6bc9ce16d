// What one agent's settings mean for the turns of a call: milliseconds, and the sentences it says by itself.
import type { AgentConfig } from '@parley/contract'
import type { CallOrder } from '../../ports/call.ts'
import { fill } from '../placeholders.ts'

export interface Rules {
  /** The silence that ends a turn whose words sound finished, and what is added when they do not. */
  readonly endpointingMs: number
  readonly unfinishedMs: number
  /** Think on words that may still go on, and throw the reply away if they do. */
  readonly thinkAhead: boolean
  /** 0: nothing interrupts the agent. */
  readonly wordsToInterrupt: number
  readonly backoffMs: number
  /** Infinity where the agent has no such limit. */
  readonly hangUpAfterSilenceMs: number
  readonly askIfThereAfterMs: number
  readonly longestCallMs: number
  readonly fillers: boolean
  readonly nods: { readonly afterMs: number; readonly gapMs: number } | null
  /** The model is asked after each turn whether the conversation is over; this is the question. */
  readonly overQuestion: string | null
  readonly sayings: {
    readonly greeting: string
    readonly areYouThere: string
    readonly farewell: string
    /** Before a call ends because an engine failed. */
    readonly apology: string
  }
}

const apologies = {
  en: "I'm sorry, I'm having trouble right now. Please call again later.",
  de: 'Entschuldigung, ich habe gerade ein technisches Problem. Bitte rufen Sie später noch einmal an.',
  es: 'Lo siento, tengo un problema técnico. Por favor, llame más tarde.',
  fr: 'Je suis désolé, je rencontre un problème technique. Merci de rappeler plus tard.',
  hi: 'माफ़ कीजिए, अभी कुछ तकनीकी समस्या है। कृपया बाद में फिर से कॉल करें।',
  pt: 'Desculpe, estou com um problema técnico. Por favor, ligue mais tarde.',
}

const overQuestion =
  'Is this conversation over, so that the call should be ended now? It is over when the caller has said goodbye or ' +
  'needs nothing more.'

const seconds = (count: number): number => (count > 0 ? count * 1_000 : Number.POSITIVE_INFINITY)

export function rulesFor(order: CallOrder, values: Readonly<Record<string, string>>): Rules {
  const { agent } = order
  const task = agent.task_config
  return {
    endpointingMs: agent.transcriber?.endpointing ?? 500,
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
    nods: task.backchanneling
      ? {
          afterMs: Math.max(0, task.backchanneling_start_delay) * 1_000,
          gapMs: Math.max(1, task.backchanneling_message_gap) * 1_000,
        }
      : null,
    overQuestion: task.hangup_after_LLMCall
      ? fill(task.call_cancellation_prompt || overQuestion, values)
      : null,
    sayings: {
      greeting: fill(agent.agent_welcome_message ?? '', values).trim(),
      areYouThere: fill(task.check_user_online_message, values).trim(),
      farewell: fill(inLanguage(task.call_hangup_message, languagesOf(agent)), values).trim(),
      apology: inLanguage(apologies, languagesOf(agent)),
    },
  }
}

/** What the caller is heard in comes before what the agent was made for. */
export const languagesOf = (agent: AgentConfig): readonly string[] =>
  [agent.transcriber?.language, agent.language, agent.synthesizer?.language].filter(
    (language) => language !== undefined,
  )

/** "en-GB" is served by "en-GB", then by "en"; nothing that fits: English, then whatever there is. */
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

const primary = (language: string): string => language.toLowerCase().split(/[-_]/)[0] ?? ''

/** Everything that a placeholder of this call may name. The system's own words win. */
export const valuesFor = (
  order: CallOrder,
  system: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => ({
  ...order.variables,
  ...system,
  agent_id: order.agentId,
  session_id: order.sessionId,
  from_phone_number: order.from ?? '',
  to_phone_number: order.to ?? '',
})
