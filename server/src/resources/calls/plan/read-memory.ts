// What an agent may remember of callers: `api_tools.memory`, and what is remembered of this one, as variables of the
// call. Written by hand or by forms, so read leniently.
import type { AgentConfig } from '@parley/contract'
import { localTime } from '../../../platform/clock/local-time.ts'

/** What one agent remembers of the caller. */
export interface StoredMemory {
  readonly agentId: string
  readonly calls: number
  /** ISO 8601: the end of the newest call. */
  readonly calledAt: string
  readonly summary: string | null
  readonly facts: Readonly<Record<string, unknown>>
}

export interface MemoryReading {
  readonly variables: Readonly<Record<string, string>>
  /** Whether a variable is one of memory: it is no fault if a stranger has none. */
  isOurs(name: string): boolean
  /** A sentence for each setting that could not be used. */
  readonly problems: readonly string[]
}

// The limit keeps a prompt short, whatever callers have said.
const mostCharacters = 2_000

const scopes = ['workspace', 'agent'] as const
const factPrefix = 'fact_'
const names = new Set(['last_call_summary', 'last_call_date', 'caller_facts', 'previous_calls'])

const nothing: MemoryReading = { variables: {}, isOurs: () => false, problems: [] }

/** `memories`: newest first. */
export function readMemory(
  agent: Pick<AgentConfig, 'api_tools' | 'call_analysis_config' | 'timezone'>,
  agentId: string,
  memories: readonly StoredMemory[],
): MemoryReading {
  const written = objectIn(objectIn(agent.api_tools).memory)
  if (written.enabled !== true) {
    const isWrong = written.enabled !== undefined && written.enabled !== false
    return isWrong ? { ...nothing, problems: ['api_tools.memory.enabled must be true or false'] } : nothing
  }
  const scope = scopes.find((one) => one === (written.scope ?? 'workspace'))
  const problems = [
    ...Object.keys(written)
      .filter((key) => key !== 'enabled' && key !== 'scope')
      .map((key) => `api_tools.memory.${key} does not exist and was left aside`),
    ...(scope ? [] : ['api_tools.memory.scope must be workspace or agent; workspace is used']),
    ...(isAnalysed(agent)
      ? []
      : [
          'api_tools.memory has nothing to remember: turn on summary or data_extraction in call_analysis_config',
        ]),
  ]
  const known = scope === 'agent' ? memories.filter((memory) => memory.agentId === agentId) : memories
  return {
    variables: variablesOf(known, agent.timezone),
    isOurs: (name) => names.has(name) || name.startsWith(factPrefix),
    problems,
  }
}

const isAnalysed = ({ call_analysis_config: config }: Pick<AgentConfig, 'call_analysis_config'>): boolean =>
  Boolean(config?.summary || config?.data_extraction)

function variablesOf(known: readonly StoredMemory[], timezone: string | undefined): Record<string, string> {
  const [newest] = known
  if (!newest) return { previous_calls: '0' }
  const facts = Object.assign({}, ...known.toReversed().map((memory) => memory.facts)) as Record<
    string,
    unknown
  >
  const texts = Object.entries(facts).map(([name, value]) => [name, asText(value)] as const)
  return {
    ...Object.fromEntries(texts.map(([name, text]) => [`${factPrefix}${name}`, text])),
    previous_calls: String(known.reduce((sum, { calls }) => sum + calls, 0)),
    last_call_date: localTime(new Date(newest.calledAt), timezone).date,
    last_call_summary: tidied(known.find(({ summary }) => summary !== null)?.summary ?? ''),
    caller_facts: tidied(texts.map(([name, text]) => `${name}: ${text}`).join('; ')),
  }
}

const asText = (value: unknown): string => tidied(typeof value === 'string' ? value : JSON.stringify(value))

/** Puts the text on one line, so that what a caller said does not look like a section of the prompt. */
const tidied = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, mostCharacters)

const objectIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
