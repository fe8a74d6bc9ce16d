// The tools that the call itself offers to its model: to hang up, to press keys, to transfer the caller, to set variables.
import { isKeys } from '../../media/dtmf.ts'
import type { CallPlan, DialoguePlan, TransferDestination } from '../../ports/call-plan.ts'
import type { ToolCall, ToolDescription } from '../../ports/language-model.ts'
import type { CallVariables, ToolBox } from '../../ports/tools.ts'

interface OwnToolParts {
  readonly sendDigits: (digits: string) => Promise<void>
  readonly variables: CallVariables
}

type ToolPermissions = Pick<DialoguePlan, 'maySendDigits' | 'maySetVariables'>

export function withOwnTools(tools: ToolBox, allowed: ToolPermissions, parts: OwnToolParts): ToolBox {
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

export const callTools = {
  endCall: 'end_call',
  sendDigits: 'send_dtmf',
  transfer: 'transfer_call',
  setVariable: 'set_variable',
} as const

const endCall: ToolDescription = {
  name: callTools.endCall,
  description:
    'Ends this telephone call. Use it only when the caller has said goodbye or needs nothing more. Say goodbye first.',
  parameters: {
    type: 'object',
    properties: { reason: { type: 'string', description: 'Why the call ends, in a few words.' } },
  },
}

const sendDigits: ToolDescription = {
  name: callTools.sendDigits,
  description:
    'Presses keys of the telephone, to answer a menu or to enter a number. Say nothing that the menu does not ask for.',
  parameters: {
    type: 'object',
    properties: { digits: { type: 'string', description: 'The keys in order: 0-9, * and #.' } },
    required: ['digits'],
  },
}

const setVariable: ToolDescription = {
  name: callTools.setVariable,
  description:
    'Keeps something that the caller has said under a name, for the record of the call and for other tools. Say nothing about it.',
  parameters: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'The name of the variable: letters, digits and _.' },
      value: { type: 'string', description: 'Its value.' },
    },
    required: ['name', 'value'],
  },
}

const transferTo = (destinations: readonly TransferDestination[]): ToolDescription => ({
  name: callTools.transfer,
  description:
    'Connects the caller to somebody else. Use it when the caller asks for it or needs it. Tell the caller first, in one sentence.',
  parameters: {
    type: 'object',
    properties: {
      destination: {
        type: 'string',
        enum: destinations.map(({ name }) => name),
        description: 'Whom to connect the caller to.',
      },
    },
    required: ['destination'],
  },
})

interface CallToolsPlan extends Pick<CallPlan, 'transfers'> {
  readonly dialogue: Pick<CallPlan['dialogue'], 'mayEndCall' | 'maySendDigits' | 'maySetVariables'>
}

/** Joins the agent's own tools and those of the call. A description that the agent gives for a tool of the call is kept. */
export function withCallTools(
  tools: readonly ToolDescription[],
  { dialogue, transfers }: CallToolsPlan,
): readonly ToolDescription[] {
  const ours = [
    ...(dialogue.mayEndCall ? [endCall] : []),
    ...(dialogue.maySendDigits ? [sendDigits] : []),
    ...(dialogue.maySetVariables ? [setVariable] : []),
    ...(transfers.length > 0 ? [transferTo(transfers)] : []),
  ]
  const described = ours.map((tool) => {
    const { description } = tools.find(({ name }) => name === tool.name) ?? {}
    return description ? { ...tool, description } : tool
  })
  const names = new Set<string>(described.map(({ name }) => name))
  return [...tools.filter(({ name }) => !names.has(name)), ...described]
}

export const isEndCall = ({ name }: ToolCall): boolean => name === callTools.endCall

/** The index of the destination that a model asks for, or the fault of its question. */
export function destinationOf(call: ToolCall, destinations: readonly TransferDestination[]): number | string {
  const asked = argumentOf(call, 'destination').toLowerCase()
  const place = destinations.findIndex(
    ({ name, to }) => name.toLowerCase() === asked || to.toLowerCase() === asked,
  )
  if (place >= 0) return place
  return `There is no destination "${asked}"; there are ${destinations.map(({ name }) => name).join(', ')}.`
}

export const argumentOf = ({ arguments: written }: ToolCall, name: string): string => {
  try {
    const value: unknown = (JSON.parse(written || '{}') as Record<string, unknown> | null)?.[name]
    return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : ''
  } catch {
    return ''
  }
}
