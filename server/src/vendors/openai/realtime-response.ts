// An answer of OpenAI's realtime models, from its messages.
import { RealtimeAnswer } from '../over/realtime/answer.ts'
import { type OpenAiMessage, wireRateHz } from './realtime-session.ts'

export class OpenAiResponse extends RealtimeAnswer {
  readonly model: string
  /** The item of the sound; undefined: none has come. */
  itemId: string | undefined
  id: string | undefined

  constructor(model: string) {
    super(wireRateHz)
    this.model = model
  }

  take({ type, delta = '', item, item_id, response }: OpenAiMessage): void {
    switch (type) {
      case 'response.output_audio.delta':
        this.itemId = item_id
        this.addSound(Buffer.from(delta, 'base64'))
        break
      case 'response.output_audio_transcript.delta':
      case 'response.output_text.delta':
        this.addWords(delta)
        break
      case 'response.output_item.done':
        if (item?.type === 'function_call' && item.call_id && item.name)
          this.parts.push({
            type: 'tool-call',
            call: { id: item.call_id, name: item.name, arguments: item.arguments ?? '{}' },
          })
        break
      case 'response.done':
        this.#done(response)
        break
    }
  }

  #done(response: OpenAiMessage['response']): void {
    const { status, usage, status_details: details } = response ?? {}
    if (usage)
      this.parts.push({
        type: 'usage',
        provider: 'openai',
        model: this.model,
        inputTokens: usage.input_tokens ?? 0,
        outputTokens: usage.output_tokens ?? 0,
        cachedTokens: usage.input_token_details?.cached_tokens ?? 0,
        cacheWriteTokens: 0,
        isAborted: status === 'cancelled',
      })
    const reason = details?.error?.message ?? 'no reason was given'
    this.end(status === 'failed' ? new Error(`OpenAI failed: ${reason}.`) : undefined)
  }
}
