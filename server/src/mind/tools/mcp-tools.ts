// The tools of an agent's MCP servers in one call. The servers are asked while the telephone rings; one that is slow or
// dead costs the call nothing but its tools, and is asked again later.
import type { McpServerPlan, ToolAnswerRules } from '../../ports/call-plan.ts'
import type { ToolDescription } from '../../ports/language-model.ts'
import { McpConnection, type McpConnectionOptions } from './mcp-connection.ts'
import type { TemplateValues } from './template.ts'
import type { ToolAnswer } from './tool-answer.ts'

export interface McpTool {
  readonly description: ToolDescription
  readonly waitingWords: string | undefined
  readonly answer: ToolAnswerRules
  run(given: TemplateValues, signal: AbortSignal): Promise<ToolAnswer>
}

export interface McpTools {
  /** The tools that can be used now, under names that are not taken. */
  descriptions(taken: readonly string[]): readonly ToolDescription[]
  find(name: string): McpTool | undefined
  readonly secrets: readonly string[]
  close(): void
}

export interface McpToolsOptions extends McpConnectionOptions {
  /** Takes one sentence for the record of the call. */
  readonly note: (sentence: string) => void
}

// A server that was restarted is back within this time; the model is asked every few seconds anyway.
const askAgainMs = 5_000
const mostAttempts = 5

class Server {
  readonly plan: McpServerPlan
  readonly #connection: McpConnection
  readonly #note: (sentence: string) => void
  #tools: readonly ToolDescription[] = []
  #attempts = 0
  #askedMs = 0
  #isAsked = false

  constructor(plan: McpServerPlan, options: McpToolsOptions) {
    this.plan = plan
    this.#connection = new McpConnection(plan, options)
    this.#note = options.note
  }

  get tools(): readonly ToolDescription[] {
    const mayAsk = !this.#isAsked && this.#tools.length === 0 && this.#attempts < mostAttempts
    if (mayAsk && performance.now() - this.#askedMs >= askAgainMs) this.ask()
    return this.#tools
  }

  ask(): void {
    this.#isAsked = true
    this.#attempts++
    this.#askedMs = performance.now()
    this.#connection
      .list()
      .then((all) => this.#choose(all))
      .catch((error: Error) => {
        if (this.#attempts > 1) return
        this.#note(
          `The MCP server ${this.plan.name} is not there, so its tools are left out: ${error.message}.`,
        )
      })
      .finally(() => {
        this.#isAsked = false
      })
  }

  run(name: string, given: TemplateValues, signal: AbortSignal): Promise<ToolAnswer> {
    return this.#connection.call(name, given, signal)
  }

  close(): void {
    this.#attempts = mostAttempts
    this.#connection.close()
  }

  #choose(all: readonly ToolDescription[]): void {
    const { name: server, description: purpose, toolNames } = this.plan
    this.#tools = all
      .filter(({ name }) => toolNames?.includes(name) ?? true)
      .map((tool) => ({ ...tool, description: [purpose, tool.description].filter(Boolean).join('\n') }))
    const missing = toolNames?.filter((wanted) => all.every(({ name }) => name !== wanted)) ?? []
    if (missing.length > 0)
      this.#note(`The MCP server ${server} does not offer ${missing.join(', ')}; left out.`)
    if (this.#attempts > 1) this.#note(`The MCP server ${server} is there now.`)
  }
}

export function openMcpTools(plans: readonly McpServerPlan[], options: McpToolsOptions): McpTools {
  const servers = plans.map((plan) => new Server(plan, options))
  for (const server of servers) server.ask()
  /** The tools by the names that the model uses, which do not change during the call. */
  const known = new Map<string, McpTool>()
  const given = new Map<string, string>()

  const nameFor = (server: Server, { name }: ToolDescription, taken: readonly string[]): string => {
    const key = `${server.plan.name}/${name}`
    const before = given.get(key)
    if (before) return before
    const isFree = (one: string) => !taken.includes(one) && !known.has(one)
    const candidates = [usable(name), usable(`${server.plan.name}_${name}`)]
    const numbered = Array.from({ length: 100 }, (_, at) => usable(name, `_${at + 2}`))
    const chosen = [...candidates, ...numbered].find(isFree) ?? usable(name)
    given.set(key, chosen)
    return chosen
  }

  return {
    descriptions: (taken) =>
      servers.flatMap((server) =>
        server.tools.map((offered) => {
          const description = { ...offered, name: nameFor(server, offered, taken) }
          const { waitingWords, answer } = server.plan
          known.set(description.name, {
            description,
            waitingWords,
            answer,
            run: (values, signal) => server.run(offered.name, values, signal),
          })
          return description
        }),
      ),
    find: (name) => known.get(name),
    secrets: plans.flatMap(({ answer }) => answer.secrets),
    close() {
      for (const server of servers) server.close()
    },
  }
}

// The longest name of a function that vendors of models accept.
const mostNameCharacters = 64
const usable = (name: string, ending = ''): string =>
  name.replace(/[^\w-]/g, '_').slice(0, mostNameCharacters - ending.length) + ending
