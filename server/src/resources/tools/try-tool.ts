// A trial of a stored tool: with its real secrets, and an account that hides them.
import type { ToolTried, ToolTrial as Trial } from '@parley/contract'
import type { Vault } from '../../platform/secrets.ts'
import type { ToolTarget } from '../../ports/call-plan.ts'
import type { ToolSample, ToolTrial, ToolTrials } from '../../ports/tools.ts'
import { planTool, targetOf } from './plan-tool.ts'
import type { ToolRow } from './store.ts'
import { toolOpener } from './tool-secrets.ts'

export interface TrialParts {
  readonly vault: Vault
  readonly trials: ToolTrials
}

export async function tryTool(row: ToolRow, trial: Trial, { vault, trials }: TrialParts): Promise<ToolTried> {
  const planned = planTool(row, toolOpener(vault))
  const sample: ToolSample = { arguments: trial.arguments ?? {}, variables: trial.variables ?? {} }
  if (planned.is === 'server') {
    const { server } = planned
    return told(await trials.mcp(server, trial.tool_name ?? null, sample), server.toolNames)
  }
  const { description, target } = planned.tool
  if (!target) return told({ ...untried, faults: [onlyInCalls] })
  const shown = targetOf(row.config, { save: {}, secrets: [] }) as ToolTarget
  return told(await trials.http({ description, target, shown, sample }))
}

const onlyInCalls =
  'A built-in tool acts on a call and cannot be tried without one: place a call to a number of the sandbox, such as +15550100.'

const untried: ToolTrial = {
  request: null,
  status: null,
  text: null,
  ms: 0,
  saved: {},
  offered: null,
  faults: [],
}

function told(trial: ToolTrial, chosen: readonly string[] | null = null): ToolTried {
  const { request, status, text, ms, saved, offered, faults } = trial
  return {
    ok: faults.length === 0,
    request: request && {
      method: request.method,
      url: request.url,
      headers: { ...request.headers },
      body: request.body ?? null,
    },
    status,
    body: text,
    duration_ms: ms,
    variables: { ...saved },
    tools:
      offered?.map(({ name, description, parameters }) => ({
        name,
        description,
        parameters: { ...parameters },
        chosen: chosen?.includes(name) ?? true,
      })) ?? null,
    faults: [...faults],
  }
}
