// A model and tools in memory: they answer from a script and record their requests.
import type {
  LanguageModel,
  ModelPart,
  ModelRequest,
  ToolCall,
  ToolDescription,
} from '../../../src/ports/language-model.ts'
import type { ToolBox } from '../../../src/ports/tools.ts'

export type Script = string | readonly (ModelPart | Promise<unknown> | Error)[]

export const says = (text: string): ModelPart => ({ type: 'text', text })
export const wants = (name: string, args = '{}'): ModelPart => ({
  type: 'tool-call',
  call: { id: `call-${name}`, name, arguments: args },
})

export const usage = (inputTokens: number, outputTokens: number): ModelPart => ({
  type: 'usage',
  provider: 'custom',
  model: 'scripted',
  inputTokens,
  outputTokens,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  isAborted: false,
})

export class ScriptedModel implements LanguageModel {
  readonly scripts: Script[]
  readonly requests: ModelRequest[] = []
  readonly signals: AbortSignal[] = []

  constructor(scripts: readonly Script[]) {
    this.scripts = [...scripts]
  }

  /** Awaits a promise in the script and throws an error. After the last script it repeats one answer. */
  async *reply(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    this.requests.push(request)
    this.signals.push(signal)
    const script = this.scripts.shift() ?? 'Okay, anything else?'
    if (typeof script === 'string') {
      for (const word of script.split(/(?<=\s)/)) yield says(word)
      yield usage(10, 5)
      return
    }
    for (const part of script) {
      if (part instanceof Promise) await part
      else if (part instanceof Error) throw part
      else yield part
      if (signal.aborted) return
    }
  }
}

export class ScriptedTools implements ToolBox {
  readonly descriptions: readonly ToolDescription[]
  readonly ran: ToolCall[] = []
  answer: (call: ToolCall, signal: AbortSignal) => Promise<string> = async () => 'It is sunny.'
  waiting: string | undefined

  constructor(...names: string[]) {
    this.descriptions = names.map((name) => ({ name, description: name, parameters: { type: 'object' } }))
  }

  waitingWords(): string | undefined {
    return this.waiting
  }

  run(call: ToolCall, signal: AbortSignal): Promise<string> {
    this.ran.push(call)
    return this.answer(call, signal)
  }
}
