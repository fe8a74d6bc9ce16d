// The port for whatever runs an agent's own tools, in a call and on trial.
import type { McpServerPlan, ToolTarget } from './call-plan.ts'
import type { ToolCall, ToolDescription } from './language-model.ts'

export interface ToolBox {
  /** As of now: those of an MCP server are here while it is connected. */
  readonly descriptions: readonly ToolDescription[]
  /** A sentence to say while the tool runs, if its owner wrote one. */
  waitingWords(name: string): string | undefined
  /** The result for the model. A tool that fails returns the reason; only an aborted one throws. */
  run(call: ToolCall, signal: AbortSignal): Promise<string>
}

/** The variables of a call while it runs: those it began with, and those that its tools save. */
export interface CallVariables {
  /** By name, always as of now. */
  readonly values: Readonly<Record<string, string>>
  /** Those saved since the call began. */
  readonly saved: Readonly<Record<string, string>>
  /** Those whose names cannot be used are left out; returns the names of the others. */
  save(variables: Readonly<Record<string, string>>): readonly string[]
  /** A text of the plan, with the values of now. */
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
  /** Null: none was sent. */
  readonly request: ToolRequest | null
  readonly status: number | null
  /** What the model would read; null: there was no answer. */
  readonly text: string | null
  readonly ms: number
  readonly saved: Readonly<Record<string, string>>
  /** Null: not asked for, or not known. */
  readonly offered: readonly ToolDescription[] | null
  /** Sentences. */
  readonly faults: readonly string[]
}

export interface ToolSample {
  readonly arguments: Values
  readonly variables: Values
}

/** Runs tools outside of calls. */
export interface ToolTrials {
  /** `shown`: the same with masked secrets, for the request that is reported. */
  http(tool: {
    readonly description: ToolDescription
    readonly target: ToolTarget
    readonly shown: ToolTarget
    readonly sample: ToolSample
  }): Promise<ToolTrial>
  /** Lists the tools of the server; calls one if it is named. */
  mcp(server: McpServerPlan, toolName: string | null, sample: ToolSample): Promise<ToolTrial>
}
