// The port for what runs an agent's own tools, in a call and on trial.
import type { McpServerPlan, ToolTarget } from './call-plan.ts'
import type { ToolCall, ToolDescription } from './language-model.ts'

export interface ToolBox {
  /** The tools as of now: those of an MCP server are here while it is connected. */
  readonly descriptions: readonly ToolDescription[]
  /** A sentence to say while the tool runs, if its owner wrote one. */
  waitingWords(name: string): string | undefined
  /** Runs a tool and returns the result for the model. A tool that fails returns the reason; only an aborted one throws. */
  run(call: ToolCall, signal: AbortSignal): Promise<string>
}

/** The variables of a call while it runs: its initial ones, and those that its tools save. */
export interface CallVariables {
  /** The values by name, always as of now. */
  readonly values: Readonly<Record<string, string>>
  /** The values saved since the call began. */
  readonly saved: Readonly<Record<string, string>>
  /** Saves variables and returns their names, without those whose names cannot be used. */
  save(variables: Readonly<Record<string, string>>): readonly string[]
  /** Fills a text of the plan with the values of now. */
  fill(text: string): string
}

type Values = Readonly<Record<string, unknown>>

/** A request as it was sent. */
export interface ToolRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export interface ToolTrial {
  /** The request; null: none was sent. */
  readonly request: ToolRequest | null
  readonly status: number | null
  /** The text that the model would read; null: there was no answer. */
  readonly text: string | null
  readonly ms: number
  readonly saved: Readonly<Record<string, string>>
  /** The tools that the server offers; null: not asked for, or not known. */
  readonly offered: readonly ToolDescription[] | null
  /** Sentences about what went wrong. */
  readonly faults: readonly string[]
}

export interface ToolSample {
  readonly arguments: Values
  readonly variables: Values
}

/** Runs tools outside of calls. */
export interface ToolTrials {
  /** `shown`: the tool with masked secrets, for the request that is reported. */
  http(tool: {
    readonly description: ToolDescription
    readonly target: ToolTarget
    readonly shown: ToolTarget
    readonly sample: ToolSample
  }): Promise<ToolTrial>
  /** Lists the tools of the server; calls one if it is named. */
  mcp(server: McpServerPlan, toolName: string | null, sample: ToolSample): Promise<ToolTrial>
}
