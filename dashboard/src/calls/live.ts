// The state of a call that its events add up to: a pure function from one event to the next view.
import type { Analytics, CallEventData, CallEventName, LatencyOfTurn } from '@parley/contract'

export type Entry =
  | {
      readonly is: 'said'
      readonly role: 'agent' | 'user'
      readonly text: string
      /** The rest of the agent's sentence, cut off by the interruption. */
      readonly cut: string
      readonly interrupted: boolean
    }
  | { readonly is: 'tool'; readonly name: string; readonly phase: string; readonly detail: string | null }
  | { readonly is: 'note'; readonly text: string }

export interface LiveView {
  readonly status: string
  /** Whether the call is simulated, so that nobody is really called. */
  readonly sandbox: boolean
  readonly entries: readonly Entry[]
  /** The words of each side that are not final yet. */
  readonly saying: { readonly agent: string; readonly user: string }
  readonly turns: readonly LatencyOfTurn[]
  /** The nodes of the graph that the call has been at, in order. */
  readonly path: readonly string[]
  readonly ended: CallEventData<'ended'> | undefined
  readonly analysis: Analytics | undefined
}

export const nothingYet: LiveView = {
  status: 'queued',
  sandbox: false,
  entries: [],
  saying: { agent: '', user: '' },
  turns: [],
  path: [],
  ended: undefined,
  analysis: undefined,
}

type Steps = { [Name in CallEventName]: (view: LiveView, data: CallEventData<Name>) => LiveView }

const add = (view: LiveView, entry: Entry): LiveView => ({ ...view, entries: [...view.entries, entry] })

const steps: Steps = {
  status: (view, { call_status, sandbox = view.sandbox }) => ({ ...view, status: call_status, sandbox }),
  partial: (view, { role, text }) => ({ ...view, saying: { ...view.saying, [role]: text } }),
  transcript(view, { role, content, interrupted }) {
    // The events of the tool have shown this already.
    if (role === 'tool') return view
    const begun = view.saying[role]
    const cut = interrupted && begun.startsWith(content) ? begun.slice(content.length) : ''
    const saying = { ...view.saying, [role]: '' }
    return add({ ...view, saying }, { is: 'said', role, text: content, cut, interrupted })
  },
  latency: (view, turn) => ({ ...view, turns: [...view.turns, turn] }),
  tool(view, { name, phase, detail }) {
    const at = view.entries.findLastIndex(
      (entry) => entry.is === 'tool' && entry.name === name && entry.phase === 'started',
    )
    const entry: Entry = { is: 'tool', name, phase, detail }
    return phase === 'started' || at < 0
      ? add(view, entry)
      : { ...view, entries: view.entries.with(at, entry) }
  },
  node: (view, { node_id }) => ({ ...view, path: [...view.path, node_id] }),
  variables: (view, { variables }) =>
    add(view, {
      is: 'note',
      text: `Saved: ${Object.entries(variables)
        .map(([name, value]) => `${name} = ${value}`)
        .join(', ')}`,
    }),
  note: (view, { note }) => add(view, { is: 'note', text: note }),
  ended: (view, ended) => ({ ...view, status: ended.call_status, saying: nothingYet.saying, ended }),
  analysis: (view, analysis) => ({ ...view, analysis }),
}

export const eventNames = Object.keys(steps) as CallEventName[]

export const follow = <Name extends CallEventName>(
  view: LiveView,
  name: Name,
  data: CallEventData<Name>,
): LiveView => steps[name](view, data)
