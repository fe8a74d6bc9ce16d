// Tries a tool outside of calls, with sample arguments: what would be sent, what comes back, what would be saved.
import type { Guard } from '../../platform/guard/guard.ts'
import type { ToolAnswerRules } from '../../ports/call-plan.ts'
import type { ToolTrial, ToolTrials } from '../../ports/tools.ts'
import { wrongIn } from './check-arguments.ts'
import { askTool, requestOf } from './http-tool.ts'
import { McpConnection } from './mcp-connection.ts'
import { savedFrom, type ToolAnswer, withoutSecrets } from './tool-answer.ts'

const nothing: ToolTrial = {
  request: null,
  status: null,
  text: null,
  ms: 0,
  saved: {},
  offered: null,
  faults: [],
}
const forever = new AbortController().signal

export const toolTrials = (guard: Guard): ToolTrials => ({
  async http({ description, target, shown, sample }) {
    const wrong = wrongIn(description.parameters, sample.arguments)
    if (wrong) return { ...nothing, faults: [`Nothing was sent: ${wrong}`] }
    const beganMs = performance.now()
    const request = () => requestOf(target, sample.arguments, sample.variables)
    const { status, ...answer } = await askTool(guard, request, forever, target.timeoutMs)
    const ms = Math.round(performance.now() - beganMs)
    const sent = answer.text.startsWith('The tool was not asked')
      ? null
      : requestOf(shown, sample.arguments, sample.variables)
    return { ...nothing, request: sent, status, ms, ...read(answer, target.answer) }
  },

  async mcp(server, toolName, sample) {
    const connection = new McpConnection(server, { guard, variables: sample.variables })
    const beganMs = performance.now()
    const sinceThen = () => Math.round(performance.now() - beganMs)
    try {
      const offered = await connection.list()
      const unknown = (server.toolNames ?? [])
        .filter((wanted) => offered.every(({ name }) => name !== wanted))
        .map((name) => `The server does not offer ${name}, which is in tool_names.`)
      if (toolName === null) return { ...nothing, ms: sinceThen(), offered, faults: unknown }
      const tool = offered.find(({ name }) => name === toolName)
      if (!tool)
        return { ...nothing, ms: sinceThen(), offered, faults: [`The server has no tool ${toolName}.`] }
      const wrong = wrongIn(tool.parameters, sample.arguments)
      if (wrong) return { ...nothing, ms: sinceThen(), offered, faults: [`Nothing was sent: ${wrong}`] }
      const answer = await connection.call(toolName, sample.arguments, forever)
      return { ...nothing, ms: sinceThen(), offered, ...read(answer, server.answer) }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return { ...nothing, ms: sinceThen(), faults: [`The MCP server could not be asked: ${reason}.`] }
    } finally {
      connection.close()
    }
  },
})

function read(
  answer: ToolAnswer,
  rules: ToolAnswerRules = { save: {}, secrets: [] },
): Pick<ToolTrial, 'text' | 'saved' | 'faults'> {
  const saved = savedFrom(answer, rules)
  const text = withoutSecrets(answer.text, rules)
  const missing = Object.entries(rules.save)
    .filter(([name]) => answer.ok && saved[name] === undefined)
    .map(([name, path]) => `The answer has nothing at ${path}, so ${name} would not be saved.`)
  return { text, saved, faults: answer.ok ? missing : [text] }
}
