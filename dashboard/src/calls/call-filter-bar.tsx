// The search and the filters above the list of calls. What is chosen is in the address.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useOutcomes } from '../agents/agents.tsx'
import { api, everyPhoneNumber } from '../api.ts'
import { go, Link } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { boxLooks } from '../ui/forms/field.tsx'
import { FilterSelect } from '../ui/lists/filter-select.tsx'
import {
  betweenDays,
  callsAt,
  type FilterName,
  type Filters,
  isMoment,
  lengthChoices,
  noNumber,
  sinceWords,
  without,
} from './call-filters.ts'
import { moodWords, reasonWords, statusWords, typeWords } from './call-words.tsx'

interface CallFilterBarProps {
  workspaceId: string
  filters: Filters
  agents: Record<string, string>
}

export function CallFilterBar({ workspaceId, filters, agents }: CallFilterBarProps) {
  const numbers = useQuery({
    queryKey: ['numbers', workspaceId, 'every'],
    queryFn: () => everyPhoneNumber(workspaceId),
  })
  const batches = useQuery({
    queryKey: ['batches', workspaceId, undefined, 1],
    queryFn: () => api.batches(workspaceId, 1),
  })
  const outcomes = useOutcomes(workspaceId, filters.agent_id)
  // A phone has no room for all of them.
  const [open, setOpen] = useState(false)
  const chosen = Object.keys(without(filters, 'search')).length
  const choose = (name: FilterName) => (value: string | undefined) => {
    const rest = without(filters, name)
    // A period and two days would contradict each other.
    const { from: _f, to: _t, ...unbounded } = rest
    // A version belongs to the agent that was chosen.
    const kept = name === 'since' ? unbounded : name === 'agent_id' ? without(rest, 'agent_version') : rest
    go(callsAt(value === undefined ? kept : { ...kept, [name]: value }))
  }
  const select = (name: FilterName, label: string, any: string, options: Record<string, string>) => (
    <FilterSelect label={label} any={any} options={options} value={filters[name]} onChoose={choose(name)} />
  )
  return (
    <search className="mb-4 block space-y-2.5">
      <SearchBox filters={filters} />
      <Button className="sm:hidden" aria-expanded={open} onClick={() => setOpen(!open)}>
        {chosen > 0 ? `Filters: ${chosen}` : 'Filters'}
        <Icon name="unfold" className="size-3.5" />
      </Button>
      <div className={`${open ? 'flex' : 'hidden'} flex-wrap items-center gap-2 sm:flex`}>
        {select('call_status', 'Status', 'Any status', statusWords)}
        {select('agent_id', 'Agent', 'Any agent', agents)}
        {select('since', 'Period', 'Any time', { ...sinceWords, [betweenDays]: 'Between two days' })}
        {isMoment(filters.from) || isMoment(filters.to) ? (
          <Moments filters={filters} />
        ) : (
          (filters.since === betweenDays || filters.from || filters.to) && <Days filters={filters} />
        )}
        {select('call_type', 'Direction', 'Any direction', typeWords)}
        {((numbers.data?.length ?? 0) > 0 || filters.phone_number_id) &&
          select('phone_number_id', 'Number', 'Any number', {
            ...Object.fromEntries(
              (numbers.data ?? []).map(({ phone_number_id, phone_number, label }) => [
                phone_number_id,
                label ?? phone_number,
              ]),
            ),
            [noNumber]: 'Without a number',
          })}
        {((batches.data?.data.length ?? 0) > 0 || filters.batch_id) &&
          select(
            'batch_id',
            'Batch',
            'Any batch',
            Object.fromEntries((batches.data?.data ?? []).map(({ batch_id, name }) => [batch_id, name])),
          )}
        {select(
          'length',
          'Length',
          'Any length',
          Object.fromEntries(Object.entries(lengthChoices).map(([name, { words }]) => [name, words])),
        )}
        {select('hangup_reason', 'Reason of the end', 'Any end', { ...reasonWords, none: 'Not known' })}
        {select('sentiment', 'Mood', 'Any mood', moodWords)}
        {(Object.keys(outcomes).length > 0 || filters.disposition) &&
          select('disposition', 'Outcome', 'Any outcome', outcomes)}
        {select('answered', 'Answered', 'Answered or not', { true: 'Answered', false: 'Not answered' })}
        {filters.agent_version !== undefined && (
          <RemovableFilter filters={filters} name="agent_version">
            Version {filters.agent_version}
          </RemovableFilter>
        )}
        {Object.keys(filters).length > 0 && (
          <Link
            to="/calls"
            className="inline-flex h-8 items-center rounded-md px-2 text-[0.8125rem] font-medium text-muted hover:text-ink"
          >
            Clear all
          </Link>
        )}
      </div>
    </search>
  )
}

/** A filter that a link from another page has set, with a button that removes it. */
function RemovableFilter({
  filters,
  name,
  children,
}: {
  filters: Filters
  name: FilterName
  children: ReactNode
}) {
  return <Removable to={callsAt(without(filters, name))}>{children}</Removable>
}

const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** An hour that was chosen in a chart. */
function Moments({ filters }: { filters: Filters }) {
  const { from, to, ...rest } = filters
  const bounds = [from, to].map((bound) => new Date(bound ?? Number.NaN))
  return (
    <Removable to={callsAt(rest)}>
      {bounds.map((at) => (Number.isNaN(at.getTime()) ? '…' : moment.format(at))).join(' to ')}
    </Removable>
  )
}

function Removable({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="inline-flex h-8 items-center gap-1.5 rounded-md border border-accent px-2.5 text-[0.8125rem] font-medium"
    >
      {children}
      <Icon name="close" className="size-3" />
    </Link>
  )
}

// A pause in typing: long enough to type the next letter.
const pauseMs = 300

function SearchBox({ filters }: { filters: Filters }) {
  const asked = filters.search ?? ''
  const [typed, setTyped] = useState(asked)
  const sent = useRef(asked)
  // The address may change by other means, such as the back button.
  useEffect(() => {
    if (asked === sent.current) return
    sent.current = asked
    setTyped(asked)
  }, [asked])
  useEffect(() => {
    const text = typed.trim()
    if (text === sent.current) return
    const timer = setTimeout(() => {
      sent.current = text
      const rest = without(filters, 'search')
      go(callsAt(text ? { ...rest, search: text } : rest), { replace: true })
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [typed, filters])
  return (
    <div className="relative">
      <Icon
        name="search"
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
      />
      <input
        type="search"
        aria-label="Search calls"
        placeholder="Number, id, or words that were said"
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(event.target.value)}
        className={`${boxLooks} h-10 pl-9! sm:h-9.5`}
      />
      <kbd className="pointer-events-none absolute top-1/2 right-3 hidden -translate-y-1/2 rounded border border-line px-1.5 font-mono text-xs text-muted sm:block">
        /
      </kbd>
    </div>
  )
}

/** Between two days, as an alternative to a period. */
function Days({ filters }: { filters: Filters }) {
  const day = (name: 'from' | 'to', label: string) => (
    <input
      type="date"
      aria-label={label}
      value={filters[name] ?? ''}
      onChange={({ target }) => {
        const rest = { ...without(filters, name), since: betweenDays }
        go(callsAt(target.value ? { ...rest, [name]: target.value } : rest))
      }}
      className={`h-9 rounded-md border bg-surface px-2 text-base font-medium shadow-card sm:h-8 sm:text-[0.8125rem] ${
        filters[name] ? 'border-accent text-ink' : 'border-edge text-muted'
      }`}
    />
  )
  return (
    <span className="inline-flex items-center gap-1.5 text-[0.8125rem] text-muted">
      {day('from', 'First day')}
      <span aria-hidden="true">–</span>
      {day('to', 'Last day')}
    </span>
  )
}
