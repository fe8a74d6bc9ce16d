// A model and a tool box in memory: they answer what the test wrote, and remember what they were asked.
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

export class ScriptedModel implements LanguageModel {
  readonly scripts: Script[]
  readonly requests: ModelRequest[] = []
  readonly signals: AbortSignal[] = []

  constructor(scripts: readonly Script[]) {
    this.scripts = [...scripts]
  }

  /** A promise in the script is waited for, an error is thrown. Past the end of the scripts it always says the same. */
  async *reply(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    this.requests.push(request)
    this.signals.push(signal)
    const script = this.scripts.shift() ?? 'Okay, anything else?'
    if (typeof script === 'string') {
      for (const word of script.split(/(?<=\s)/)) yield says(word)
      yield { type: 'usage', inputTokens: 10, outputTokens: 5 }
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
