// Our request as a body for Gemini's generateContent.
import type { ChatMessage, ModelRequest, ToolCall, ToolDescription } from '../../ports/language-model.ts'
import { argumentsOf, joinTurns, splitConversation } from '../over/thinks/messages.ts'
import type { WireOptions } from '../over/thinks/protocol.ts'

type Part = Readonly<Record<string, unknown>>

// What the vendor documents for calls that were made by another model, whose signature there is none of.
const foreignSignature = 'skip_thought_signature_validator'

export function geminiBody(model: string, options: WireOptions, { messages, tools }: ModelRequest): string {
  const { system, turns } = splitConversation(messages)
  const names = namesOfCalls(messages)
  const signs = demandsSignatures(model)
  const joined = joinTurns(
    turns.map((turn) => ({
      role: turn.role === 'assistant' ? 'model' : 'user',
      blocks: partsOf(turn, names, signs),
    })),
  )
  return JSON.stringify({
    ...(system && { systemInstruction: { parts: [{ text: system }] } }),
    contents: joined.map(({ role, blocks }) => ({ role, parts: blocks })),
    ...toolsOf(tools),
    generationConfig: options,
  })
}

export const toolsOf = (tools: readonly ToolDescription[]) =>
  tools.length > 0 && {
    tools: [
      {
        functionDeclarations: tools.map(({ name, description, parameters }) => ({
          name,
          description,
          parametersJsonSchema: parameters,
        })),
      },
    ],
  }

/** From the third generation on, a call without a signature is refused. */
const demandsSignatures = (model: string): boolean => {
  const generation = /gemini-(\d+)/.exec(model)?.[1]
  return generation !== undefined && Number(generation) >= 3
}

/** A result names its function; we know the id of its call. */
const namesOfCalls = (messages: readonly ChatMessage[]): ReadonlyMap<string, string> =>
  new Map(messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id, name }) => [id, name] as const)))

function partsOf(
  { role, content, toolCalls = [], toolCallId = '' }: ChatMessage,
  names: ReadonlyMap<string, string>,
  signs: boolean,
): readonly Part[] {
  if (role === 'tool')
    return [{ functionResponse: { name: names.get(toolCallId) ?? '', response: { output: content } } }]
  const calls = toolCalls.map((call, place) => callOf(call, signs && place === 0))
  return [...(content ? [{ text: content }] : []), ...calls]
}

/** Of calls that were made together only the first has a signature. */
const callOf = (call: ToolCall, needsSignature: boolean): Part => {
  const thoughtSignature = call.signature ?? (needsSignature ? foreignSignature : undefined)
  return {
    functionCall: { name: call.name, args: argumentsOf(call) },
    ...(thoughtSignature && { thoughtSignature }),
  }
}
