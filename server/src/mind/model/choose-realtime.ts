// Decides whether a call gets a mind that hears and speaks itself: its agent names a realtime model, and there is a
// key for it.
import type { AskedModel, EngineChoice } from '../../ports/call.ts'
import type { AccountPlan, CallPlan } from '../../ports/call-plan.ts'
import type { RealtimeMind, RealtimeOptions } from '../../ports/realtime-mind.ts'
import { type GeminiParts, geminiLive } from '../../vendors/gemini/realtime.ts'
import { openAiRealtime } from '../../vendors/openai/realtime.ts'
import { failover } from '../../vendors/over/thinks/failover.ts'
import { type ChosenModel, chooseModel } from './choose-model.ts'
import { chooseServer, type ServerWishes } from './choose-server.ts'

/** The chosen mind also takes the place of the speech engines. */
export interface ChosenRealtime extends Pick<RealtimeMind, 'transcriber' | 'synthesizer' | 'close'> {
  readonly voice: string
  readonly voiceIn: undefined
  readonly chosen: ChosenModel
  /** The choices of transcriber and synthesizer for the call record. */
  readonly choices: readonly EngineChoice[]
}

/** The usual speech engines of a call, for a mind that needs them beside it. */
export interface SpeechBeside extends Pick<GeminiParts, 'transcriber' | 'synthesizer'> {
  readonly choices: readonly EngineChoice[]
  close(): void
}

interface RealtimeWishes extends ServerWishes {
  /** Headers of every request for a session. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly note: (sentence: string) => void
  openSpeech(plan: CallPlan): SpeechBeside
}

// The same vendor's text model: it answers our own questions, and the caller when the realtime model fails.
const geminiInText = 'gemini-2.5-flash'

/** Chooses a realtime mind. Undefined: the call gets the usual parts, and `note` is told why. */
export function chooseRealtime(plan: CallPlan, wishes: RealtimeWishes): ChosenRealtime | undefined {
  const { synthesizer, transcriber } = plan
  const { model: address } = plan.dialogue
  const { server } = chooseServer(address, wishes)
  const { model } = address
  const { provider, apiKey, baseUrl } = server ?? {}
  if (!model || !apiKey || !baseUrl || (provider !== 'openai' && provider !== 'gemini')) {
    wishes.note(
      `${model} hears and speaks itself, and needs the provider openai or gemini with a key: it is asked in text instead.`,
    )
    return undefined
  }
  const options: RealtimeOptions = {
    model,
    apiKey,
    baseUrl,
    headers: wishes.headers,
    language: transcriber.language,
    voice: synthesizer.asked === provider ? (synthesizer.voiceId ?? synthesizer.voice) : undefined,
    // Addresses of users other than the operator must be public.
    lookup: server?.dispatcher === wishes.trusted ? undefined : wishes.guard.lookupFor(baseUrl),
  }
  return provider === 'openai' ? openAi(plan, options) : gemini(plan, options, wishes)
}

function openAi(plan: CallPlan, options: RealtimeOptions): ChosenRealtime {
  const mind = openAiRealtime(options)
  return {
    ...chosen(mind, mind.model, { provider: 'openai', model: options.model }),
    voice: '',
    choices: [
      own('transcriber', plan.transcriber.asked, options.model),
      own('synthesizer', plan.synthesizer.asked, options.model),
    ],
  }
}

function gemini(plan: CallPlan, options: RealtimeOptions, wishes: RealtimeWishes): ChosenRealtime {
  const { voice = '', apiKey, baseUrl } = options
  const account: AccountPlan = {
    credentials: { apiKey },
    baseUrl: baseUrl.includes('//generativelanguage.googleapis.com')
      ? undefined
      : baseUrl.replace(/\/v1\w*\/?$/, ''),
  }
  // The voices of Gemini's synthesizer are those of its realtime model, under the same names.
  const speech = wishes.openSpeech({
    ...plan,
    accounts: { ...plan.accounts, gemini: account },
    synthesizer: {
      ...plan.synthesizer,
      asked: 'gemini',
      voice,
      voiceId: undefined,
      model: undefined,
      // Those of another vendor are none of its own.
      providerConfig: plan.synthesizer.asked === 'gemini' ? plan.synthesizer.providerConfig : {},
    },
  })
  const text = chooseModel({
    ...wishes,
    plan: { ...plan.dialogue.model, model: geminiInText },
    onFailover: wishes.note,
  }).model
  const mind = geminiLive(options, { ...speech, aside: text })
  const [hears] = speech.choices
  const model = failover([mind.model, text], { onFailure: wishes.note })
  return {
    ...chosen(mind, model, { provider: 'gemini', model: options.model }),
    voice,
    close() {
      mind.close()
      speech.close()
    },
    choices: [...(hears ? [hears] : []), own('synthesizer', plan.synthesizer.asked, options.model)],
  }
}

const chosen = (
  mind: RealtimeMind,
  model: RealtimeMind['model'],
  asks: AskedModel,
): Omit<ChosenRealtime, 'choices' | 'voice'> => ({
  transcriber: mind.transcriber,
  synthesizer: mind.synthesizer,
  close: () => mind.close(),
  voiceIn: undefined,
  chosen: {
    model,
    isBuiltIn: false,
    asks,
    choice: { ...own('language-model', asks.model, asks.model), why: null },
  },
})

const own = (part: EngineChoice['part'], asked: string | null, used: string): EngineChoice => ({
  part,
  asked,
  used,
  why: 'The model hears and speaks itself.',
})
