// What takes over from a realtime model that is gone: a recognizer, a model in text and a voice, as the agent's settings and
// the installation give them. They are opened when they are first needed.
import { isRealtimeModel } from '@parley/contract/realtime-model'
import type { CallParts } from '../../call/session.ts'
import { accountFor } from '../../ports/account-address.ts'
import type { EngineChoice } from '../../ports/call.ts'
import type { AccountPlan, CallPlan, ModelAddress, ModelPlan } from '../../ports/call-plan.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type { RealtimeOptions } from '../../ports/realtime-mind.ts'
import type { Synthesizer } from '../../ports/synthesizer.ts'
import type { Wait } from '../../vendors/over/thinks/failover.ts'
import { type ChosenModel, chooseModel } from './choose-model.ts'
import { type ServerWishes, vendorAt } from './choose-server.ts'

/** The usual speech engines of a call. */
export interface SpeechBeside extends Pick<CallParts, 'transcriber' | 'synthesizer' | 'voice'> {
  readonly choices: readonly EngineChoice[]
  close(): void
}

export interface RealtimeWishes extends ServerWishes {
  /** Headers of every request for a session. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly note: (sentence: string) => void
  /** Waits on the clock of the call. */
  readonly wait: Wait
  openSpeech(plan: CallPlan): SpeechBeside
}

interface RelievedModel {
  readonly provider: 'openai' | 'gemini'
  readonly options: RealtimeOptions
}

// The same vendor's models in text, for agents that name no other.
const inText = { openai: 'gpt-6-luna', gemini: 'gemini-3.8-flash' } as const

export class RealtimeRelief {
  readonly note: (sentence: string) => void
  readonly wait: Wait
  readonly #plan: CallPlan
  readonly #relieved: RelievedModel
  readonly #wishes: RealtimeWishes
  #speech: SpeechBeside | undefined
  #text: ChosenModel | undefined
  #hasTakenOver = false

  constructor(plan: CallPlan, relieved: RelievedModel, wishes: RealtimeWishes) {
    this.#plan = plan
    this.#relieved = relieved
    this.#wishes = wishes
    this.note = wishes.note
    this.wait = wishes.wait
  }

  get speech(): SpeechBeside {
    this.#speech ??= this.#wishes.openSpeech(this.#speechPlan())
    return this.#speech
  }

  readonly synthesizer: Synthesizer = {
    abilities: { clauseEnds: false, wordTimes: false, languages: 'any' },
    open: (options, signal) => {
      const { synthesizer, voice } = this.speech
      return synthesizer.open({ ...options, voice }, signal)
    },
    warm: async (options, signal) => this.speech.synthesizer.warm?.(options, signal),
  }

  readonly model: LanguageModel = {
    reply: (request, signal) => this.#chosenModel.model.reply(request, signal),
  }

  /** Says in the record of the call who answers from now on. */
  takeOver(error: Error): void {
    if (this.#hasTakenOver) return
    this.#hasTakenOver = true
    const { model } = this.#relieved.options
    const { used } = this.#chosenModel.choice
    const why = error.message.replace(/\.$/, '')
    this.note(
      `${model} is given up: ${why}. From now on ${used} answers in text, with a recognizer and a voice.`,
    )
  }

  close(): void {
    this.#speech?.close()
  }

  get #chosenModel(): ChosenModel {
    this.#text ??= chooseModel({
      ...this.#wishes,
      plan: this.#modelPlan(),
      onFailover: this.note,
    })
    return this.#text
  }

  /** The workspace's account if its key is used: other services of the vendor may be at addresses of their own. */
  get #storedAccount(): AccountPlan | undefined {
    const { provider, options } = this.#relieved
    const stored = this.#plan.accounts[provider]
    return stored?.credentials.apiKey === options.apiKey ? stored : undefined
  }

  /** What the agent names besides, the vendor's own model in text, the installation's. */
  #modelPlan(): ModelPlan {
    const { model } = this.#plan.dialogue
    const { server } = this.#wishes.operator
    const installed: readonly ModelAddress[] = server?.models[0]
      ? [
          {
            model: server.models[0],
            provider: server.provider,
            baseUrl: server.baseUrl,
            apiKey: undefined,
          },
        ]
      : []
    const { fallback, ...asked } = model
    const named = fallback.filter((other) => !isRealtimeModel(other.model ?? ''))
    const stored = this.#storedAccount
    const own = {
      ...asked,
      model: inText[this.#relieved.provider],
      ...(stored?.baseUrls && { baseUrl: accountFor(stored, 'language_model').baseUrl }),
    }
    const [first, ...others] = [...named, own, ...installed]
    return { ...model, ...first, fallback: others }
  }

  /** The same voice, if its vendor has a synthesizer with it, and the same key. */
  #speechPlan(): CallPlan {
    const { provider, options } = this.#relieved
    const { synthesizer, accounts } = this.#plan
    const stored = this.#storedAccount
    const account: AccountPlan = stored?.baseUrls
      ? stored
      : {
          credentials: { apiKey: options.apiKey },
          baseUrl:
            vendorAt(options.baseUrl) === provider ? undefined : options.baseUrl.replace(/\/v1\w*\/?$/, ''),
        }
    // Gemini Live reads nothing itself, so there it is its own voice from the first word on.
    const { asked } = synthesizer
    const isNamed = provider === 'openai' && asked !== null && asked !== provider
    return {
      ...this.#plan,
      accounts: { ...accounts, [provider]: account },
      synthesizer: isNamed
        ? synthesizer
        : {
            ...synthesizer,
            asked: provider,
            voice: options.voice,
            voiceId: undefined,
            model: undefined,
            // Those of another vendor are none of its own.
            providerConfig: asked === provider ? synthesizer.providerConfig : {},
          },
    }
  }
}
