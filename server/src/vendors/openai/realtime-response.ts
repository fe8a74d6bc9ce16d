// An answer of OpenAI's realtime models, from its messages.
import { RealtimeAnswer } from '../over/realtime/answer.ts'
import { account } from './account.ts'
import { type OpenAiMessage, wireRateHz } from './realtime-session.ts'

// Another model serves a caller better than a longer wait.
const patienceMs = 4_000
// Words that are only to be read take half a second.
const readingPatienceMs = 2_000

export class OpenAiResponse extends RealtimeAnswer {
  readonly model: string
  /** The item of the words or the sound; undefined: none has come. */
  itemId: string | undefined
  /** Undefined: the server has not told. */
  id: string | undefined
  /** It is not wanted any more, which the server can be told when it has told the id. */
  isCancelled = false

  constructor(model: string, kind: 'answer' | 'reading' = 'answer') {
    super({
      label: account.label,
      wireRateHz,
      patienceMs: kind === 'answer' ? patienceMs : readingPatienceMs,
    })
    this.model = model
  }

  take({ type, delta = '', item, item_id, response }: OpenAiMessage): void {
    switch (type) {
      case 'response.output_audio.delta':
        this.itemId ??= item_id
        this.addSound(Buffer.from(delta, 'base64'))
        break
      case 'response.output_audio_transcript.delta':
      case 'response.output_text.delta':
        this.itemId ??= item_id
        this.addWords(delta)
        break
      case 'response.output_item.done':
        if (item?.type === 'function_call' && item.call_id && item.name)
          this.addCall({ id: item.call_id, name: item.name, arguments: item.arguments ?? '{}' })
        break
      case 'response.done':
        this.#done(response)
        break
    }
  }

  #done(response: OpenAiMessage['response']): void {
    const { status, usage, status_details: details } = response ?? {}
    if (usage)
      this.addUsage({
        provider: 'openai',
        model: this.model,
        inputTokens: usage.input_tokens ?? 0,
        outputTokens: usage.output_tokens ?? 0,
        cachedTokens: usage.input_token_details?.cached_tokens ?? 0,
        cacheWriteTokens: 0,
        isAborted: status === 'cancelled',
      })
    if (status === 'failed')
      this.breakOff(
        new Error(`${account.label} failed: ${details?.error?.message ?? 'no reason was given'}.`),
      )
    else this.complete()
  }
}
