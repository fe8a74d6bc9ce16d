// Whether a call gets a mind that hears and speaks itself: its agent names a realtime model, and there is a key for it.
import type { EngineChoice } from '../../ports/call.ts'
import type { CallPlan } from '../../ports/call-plan.ts'
import type { RealtimeMind } from '../../ports/realtime-mind.ts'
import type { ChosenModel } from '../llm/choose.ts'
import { chooseServer, type ServerWishes } from '../llm/choose-server.ts'
import { openAiRealtime } from './openai.ts'

/** In the place of the speech engines, too. */
export interface ChosenRealtime extends Pick<RealtimeMind, 'transcriber' | 'synthesizer' | 'close'> {
  /** The model has one. */
  readonly voice: ''
  readonly voiceIn: undefined
  readonly chosen: ChosenModel
  /** Of the transcriber and the synthesizer. */
  readonly choices: readonly EngineChoice[]
}

/** Undefined: the call gets the usual parts, and `note` is told why. */
export function chooseRealtime(
  { dialogue, transcriber, synthesizer }: CallPlan,
  wishes: ServerWishes,
  note: (sentence: string) => void,
): ChosenRealtime | undefined {
  const { model: name } = dialogue.model
  const { server } = chooseServer(dialogue.model, wishes)
  if (!name || server?.provider !== 'openai' || !server.apiKey) {
    note(
      `${name} hears and speaks itself, and needs the provider openai with a key: it is asked in text instead.`,
    )
    return undefined
  }
  const mind = openAiRealtime({
    ...{ model: name, baseUrl: server.baseUrl, apiKey: server.apiKey },
    voice: synthesizer.asked === 'openai' ? (synthesizer.voiceId ?? synthesizer.voice) : undefined,
    language: transcriber.language,
    // Whoever is not the operator reaches public addresses only.
    lookup: server.dispatcher === wishes.trusted ? undefined : wishes.guard.lookupFor(server.baseUrl),
  })
  const own = 'The model hears and speaks itself.'
  const choice = (part: EngineChoice['part'], asked: string | null): EngineChoice => ({
    ...{ part, asked, used: name, why: own },
  })
  return {
    ...{ transcriber: mind.transcriber, synthesizer: mind.synthesizer, close: () => mind.close() },
    ...{ voice: '', voiceIn: undefined },
    chosen: { model: mind.model, choice: { ...choice('language-model', name), why: null }, isBuiltIn: false },
    choices: [choice('transcriber', transcriber.asked), choice('synthesizer', synthesizer.asked)],
  }
}
