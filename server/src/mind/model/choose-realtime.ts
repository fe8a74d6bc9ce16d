// Decides whether a call gets a mind that hears and speaks itself: its agent names a realtime model, and there is a key
// for it. The call's own recognizer, a model in text and a voice take over when it is gone.
import type { AskedModel, EngineChoice } from '../../ports/call.ts'
import type { CallPlan } from '../../ports/call-plan.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type { RealtimeBeside, RealtimeMind, RealtimeOptions } from '../../ports/realtime-mind.ts'
import { reopening } from '../../speech/reopening.ts'
import { geminiLive } from '../../vendors/gemini/realtime.ts'
import { openAiRealtime } from '../../vendors/openai/realtime.ts'
import { failover } from '../../vendors/over/thinks/failover.ts'
import type { ChosenModel } from './choose-model.ts'
import { chooseServer } from './choose-server.ts'
import { RealtimeRelief, type RealtimeWishes } from './realtime-relief.ts'

/** The chosen mind also takes the place of the speech engines. */
export interface ChosenRealtime extends Pick<RealtimeMind, 'transcriber' | 'synthesizer' | 'close'> {
  readonly voice: string
  readonly voiceIn: undefined
  readonly chosen: ChosenModel
  /** The choices of transcriber and synthesizer for the call record. */
  readonly choices: readonly EngineChoice[]
}

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
    transcription: {
      model: transcriber.asked === provider ? transcriber.model : '',
      language: transcriber.language,
      keyterms: transcriber.keyterms,
    },
    voice: synthesizer.asked === provider ? (synthesizer.voiceId ?? synthesizer.voice) : undefined,
    // Addresses of users other than the operator must be public.
    lookup: server?.dispatcher === wishes.trusted ? undefined : wishes.guard.lookupFor(baseUrl),
  }
  const relief = new RealtimeRelief(plan, { provider, options }, wishes)
  return provider === 'openai' ? openAi(plan, options, relief) : gemini(plan, options, relief)
}

function openAi(plan: CallPlan, options: RealtimeOptions, relief: RealtimeRelief): ChosenRealtime {
  const mind = openAiRealtime(options, besideOf(relief))
  let next: 'The recognizer of the call' | undefined = 'The recognizer of the call'
  const transcriber = reopening(
    { label: options.model, transcriber: mind.transcriber, streaming: false },
    {
      onNote: relief.note,
      onHeard() {},
      next() {
        const label = next
        next = undefined
        return label && { label, transcriber: relief.speech.transcriber, streaming: false }
      },
    },
  )
  return {
    ...chosen(mind, relief, { provider: 'openai', model: options.model }),
    transcriber,
    voice: '',
    choices: [
      own('transcriber', plan.transcriber.asked, options.model),
      own('synthesizer', plan.synthesizer.asked, options.model),
    ],
  }
}

function gemini(plan: CallPlan, options: RealtimeOptions, relief: RealtimeRelief): ChosenRealtime {
  const { transcriber, choices } = relief.speech
  const mind = geminiLive(options, { ...besideOf(relief), transcriber })
  const [hears] = choices
  return {
    ...chosen(mind, relief, { provider: 'gemini', model: options.model }),
    voice: options.voice ?? '',
    choices: [...(hears ? [hears] : []), own('synthesizer', plan.synthesizer.asked, options.model)],
  }
}

const besideOf = (relief: RealtimeRelief): RealtimeBeside => ({
  synthesizer: relief.synthesizer,
  onNote: relief.note,
  onGone: (error) => relief.takeOver(error),
})

function chosen(
  mind: RealtimeMind,
  relief: RealtimeRelief,
  asks: AskedModel,
): Omit<ChosenRealtime, 'choices' | 'voice'> {
  return {
    transcriber: mind.transcriber,
    synthesizer: mind.synthesizer,
    close() {
      mind.close()
      relief.close()
    },
    voiceIn: undefined,
    chosen: {
      model: withRelief(mind.model, relief),
      isBuiltIn: false,
      asks,
      choice: { ...own('language-model', asks.model, asks.model), why: null },
    },
  }
}

/** A question of ours that the model does not answer says nothing about the conversation. */
function withRelief(model: LanguageModel, relief: RealtimeRelief): LanguageModel {
  const { wait } = relief
  const inConversation = failover([model, relief.model], {
    wait,
    onFailure: (sentence) => relief.takeOver(new Error(sentence)),
  })
  const aside = failover([model, relief.model], { wait })
  return {
    reply: (request, signal) => (request.isAside ? aside : inConversation).reply(request, signal),
  }
}

const own = (part: EngineChoice['part'], asked: string | null, used: string): EngineChoice => ({
  part,
  asked,
  used,
  why: 'The model hears and speaks itself.',
})
