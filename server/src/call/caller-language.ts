// The language of a caller who may speak any: the agent answers in that language from the next sentence on.
import { languageName } from '../platform/language-names.ts'
import type { CallParts } from './call-parts.ts'
import type { SpeechOutput } from './speak/speech-output.ts'

export class CallerLanguage {
  readonly #parts: Pick<CallParts, 'voice' | 'voiceIn' | 'onUpdate'>
  readonly #output: Pick<SpeechOutput, 'speakWith'>
  #name: string | undefined

  constructor(
    parts: Pick<CallParts, 'voice' | 'voiceIn' | 'onUpdate'>,
    output: Pick<SpeechOutput, 'speakWith'>,
  ) {
    this.#parts = parts
    this.#output = output
  }

  /** Reports each change of language once, however often the transcriber names it. */
  take(language: string): void {
    const { voice, voiceIn, onUpdate } = this.#parts
    const name = languageName(language)
    if (name === this.#name) return
    this.#name = name
    this.#output.speakWith({ voice: voiceIn?.(language) ?? voice, language })
    onUpdate({ type: 'note', note: `The caller speaks ${this.#name}.` })
  }

  /** A model follows the language of its prompt unless it is told otherwise. */
  addedTo(prompt: string): string {
    if (this.#name === undefined) return prompt
    return `${prompt}\n\nThe caller speaks ${this.#name}: answer in ${this.#name}.`.trim()
  }
}
