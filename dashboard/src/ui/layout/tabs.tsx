// A choice between views of the same thing.
import { type KeyboardEvent, useEffect, useRef } from 'react'

interface TabsProps<Name extends string> {
  label: string
  /** Labels by name. False: the tab is not shown. */
  tabs: Record<Name, string | false>
  chosen: Name
  /** The number of faults in each tab. */
  marks?: Partial<Record<Name, number>>
  /** Smaller tabs, for places with little room. */
  dense?: boolean
  /** No other tab can be chosen while the content of the chosen one is invalid. */
  locked?: boolean
  /** The id of the element that shows the chosen view. */
  controls: string
  onChoose(name: Name): void
}

export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const { label, tabs, chosen, marks = {}, dense = false, locked = false, controls, onChoose } = props
  const names = (Object.keys(tabs) as Name[]).filter((name) => tabs[name] !== false)

  const list = useRef<HTMLDivElement>(null)
  // A phone has no room for all of them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another one is chosen
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected=true]')
    if (tab && list.current) list.current.scrollLeft = tab.offsetLeft - list.current.clientWidth / 3
  }, [chosen])

  const step = ({ key, currentTarget }: KeyboardEvent<HTMLElement>) => {
    const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
    const next = names[(names.indexOf(chosen) + by + names.length) % names.length]
    if (by === 0 || locked || next === undefined) return
    onChoose(next)
    currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[names.indexOf(next)]?.focus()
  }
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={label}
      onKeyDown={step}
      className={`relative mb-7 flex overflow-x-auto border-b border-line ${dense ? 'gap-x-3 text-[0.8125rem]' : 'gap-x-4.5'}`}
    >
      {names.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={name === chosen}
          aria-controls={controls}
          tabIndex={name === chosen ? 0 : -1}
          disabled={locked && name !== chosen}
          onClick={() => onChoose(name)}
          className="shrink-0 border-b-2 border-transparent pb-2 font-medium text-muted transition-colors hover:text-ink disabled:opacity-50 aria-selected:border-accent aria-selected:text-ink"
        >
          {tabs[name]}
          <Mark faults={(marks as Partial<Record<string, number>>)[name]} />
        </button>
      ))}
    </div>
  )
}

function Mark({ faults }: { faults: number | undefined }) {
  if (!faults) return null
  return (
    <span className="ml-1.5 inline-flex size-4.5 items-center justify-center rounded-full bg-bad-soft align-text-top text-xs text-bad">
      {faults}
      <span className="sr-only">{faults === 1 ? ' fault' : ' faults'}</span>
    </span>
  )
}
