// The tool with which a model hangs up.
import type { ToolCall, ToolDescription } from '../../ports/language-model.ts'

const name = 'end_call'

export const isEndCall = (call: ToolCall): boolean => call.name === name

const description: ToolDescription = {
  name,
  description:
    'Ends this telephone call. Use it only when the caller has said goodbye or needs nothing more. Say goodbye first.',
  parameters: {
    type: 'object',
    properties: { reason: { type: 'string', description: 'Why the call ends, in a few words.' } },
  },
}

/** The agent's own tools, plus this one where it is enabled and the agent does not define it. */
export const withEndCall = (
  tools: readonly ToolDescription[],
  isWanted: boolean,
): readonly ToolDescription[] =>
  isWanted && !tools.some((tool) => tool.name === name) ? [...tools, description] : tools
