// One answer of the model: its words and tools for the language model port, its sound for the synthesizer port.
import type { Frame, RateHz } from '../../media/frame.ts'
import { EventQueue } from '../../platform/event-queue.ts'
import type { ModelPart } from '../../ports/language-model.ts'
import { PcmFrames } from '../tts/over-pcm.ts'
import { type Message, wireRateHz } from './openai-session.ts'

/** What reads the sound of an answer. */
export interface SoundReader {
  readonly rateHz: RateHz
  onFrames(frames: readonly Frame[]): void
  onEnd(error?: Error): void
}

export class OpenAiResponse {
  readonly parts = new EventQueue<ModelPart>()
  readonly model: string
  /** Of the sound; undefined: none has come. */
  itemId: string | undefined
  transcript = ''
  soundMs = 0
  id: string | undefined
  #waiting: Uint8Array[] = []
  #reader: { readonly to: SoundReader; readonly pcm: PcmFrames } | undefined
  #end: { readonly error?: Error | undefined } | undefined

  constructor(model: string) {
    this.model = model
  }

  get isOver(): boolean {
    return this.#end !== undefined
  }

  get isClaimed(): boolean {
    return this.#reader !== undefined
  }

  /** Its sound is played from now on, from its beginning. */
  claim(to: SoundReader): void {
    this.#reader = { to, pcm: new PcmFrames(wireRateHz, to.rateHz) }
    for (const bytes of this.#waiting.splice(0)) to.onFrames(this.#reader.pcm.push(bytes))
    if (this.#end) this.#endSound()
  }

  take({ type, delta = '', item, item_id, response }: Message): void {
    switch (type) {
      case 'response.output_audio.delta':
        this.itemId = item_id
        this.#sound(Buffer.from(delta, 'base64'))
        break
      case 'response.output_audio_transcript.delta':
      case 'response.output_text.delta':
        this.transcript += delta
        this.parts.push({ type: 'text', text: delta })
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

  fail(error: Error): void {
    if (this.#end) return
    this.#end = { error }
    this.parts.fail(error)
    this.#endSound()
  }

  #done(response: Message['response']): void {
    const { status, usage, status_details: details } = response ?? {}
    if (usage)
      this.parts.push({
        ...{ type: 'usage', provider: 'openai', model: this.model },
        inputTokens: usage.input_tokens ?? 0,
        outputTokens: usage.output_tokens ?? 0,
        cachedTokens: usage.input_token_details?.cached_tokens ?? 0,
        isAborted: status === 'cancelled',
      })
    if (status === 'failed') {
      this.fail(new Error(`OpenAI failed: ${details?.error?.message ?? 'no reason was given'}.`))
      return
    }
    this.#end = {}
    this.parts.end()
    this.#endSound()
  }

  #sound(bytes: Uint8Array): void {
    this.soundMs += bytes.length / 2 / (wireRateHz / 1_000)
    if (this.#reader) this.#reader.to.onFrames(this.#reader.pcm.push(bytes))
    else this.#waiting.push(bytes)
  }

  #endSound(): void {
    if (!this.#reader || !this.#end) return
    const { to, pcm } = this.#reader
    to.onFrames(pcm.flush())
    to.onEnd(this.#end.error)
  }
}
