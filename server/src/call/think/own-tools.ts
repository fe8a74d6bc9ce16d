// Runs the tools of the call itself that are answered like any other: to press keys and to set variables.
import { isKeys } from '../../media/dtmf.ts'
import type { DialoguePlan } from '../../ports/call-plan.ts'
import type { ToolCall } from '../../ports/language-model.ts'
import type { CallVariables, ToolBox } from '../../ports/tools.ts'
import { argumentOf, callTools } from './call-tools.ts'

export interface OwnToolParts {
  readonly sendDigits: (digits: string) => Promise<void>
  readonly variables: CallVariables
}

type Allowed = Pick<DialoguePlan, 'maySendDigits' | 'maySetVariables'>

export function withOwnTools(tools: ToolBox, allowed: Allowed, parts: OwnToolParts): ToolBox {
  if (!allowed.maySendDigits && !allowed.maySetVariables) return tools
  return {
    get descriptions() {
      return tools.descriptions
    },
    waitingWords: (name) => tools.waitingWords(name),
    async run(call, signal) {
      if (allowed.maySendDigits && call.name === callTools.sendDigits) return press(call, parts)
      if (allowed.maySetVariables && call.name === callTools.setVariable) return set(call, parts)
      return tools.run(call, signal)
    },
  }
}

async function press(call: ToolCall, { sendDigits }: OwnToolParts): Promise<string> {
  const digits = argumentOf(call, 'digits')
    .toUpperCase()
    .replace(/[\s().-]/g, '')
  if (!digits || !isKeys(digits)) return 'The digits must be keys of a telephone: 0-9, * and #.'
  await sendDigits(digits)
  return `Pressed ${digits}.`
}

function set(call: ToolCall, { variables }: OwnToolParts): string {
  const name = argumentOf(call, 'name')
  const [isSaved] = variables.save({ [name]: argumentOf(call, 'value') })
  if (isSaved) return `Saved ${name}.`
  return `"${name}" cannot be the name of a variable; use letters, digits and _, and no name of the system's own.`
}
