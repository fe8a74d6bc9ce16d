// Navigation: every page, the choice of workspace, and signing out.
import { use, useId } from 'react'
import { type Page, pages } from '../pages.tsx'
import { go, Link, usePlace } from '../router.tsx'
import { useUser } from '../session/session.tsx'
import { SignOutButton } from '../session/sign-out-button.tsx'
import { useWorkspaces } from '../session/workspace.tsx'
import { Icon, type IconName, Logo } from '../ui/controls/icons.tsx'
import { Rights } from '../ui/controls/may.tsx'
import { SelectBox } from '../ui/forms/select-box.tsx'

interface MenuEntry {
  readonly to: string
  readonly label: string
  readonly icon: IconName
  readonly needs?: Page['needs'] | undefined
}

const entriesOf = (inWorkspace: boolean): MenuEntry[] =>
  pages.flatMap(({ path, menu, needs, inWorkspace: isInside }) =>
    menu && isInside === inWorkspace ? [{ to: path, label: menu.label, icon: menu.icon, needs }] : [],
  )

const row = 'flex h-9 items-center gap-2.5 rounded-md px-2.5 font-medium transition-colors lg:h-7.5'

export function SideBar({ onLeave }: { onLeave(): void }) {
  const { email, name } = useUser()
  return (
    <div className="flex h-full flex-col gap-5 p-3">
      <div className="flex items-center gap-2.5 px-2 pt-2">
        <Logo />
        <span className="text-[0.9375rem] font-semibold tracking-tight">Parley</span>
      </div>
      <WorkspaceSwitcher onChoose={onLeave} />
      <nav aria-label="Main" className="flex flex-1 flex-col gap-5 overflow-y-auto p-0.5 -m-0.5">
        <Entries entries={entriesOf(true)} onLeave={onLeave} />
        <Entries entries={entriesOf(false)} onLeave={onLeave} title="Installation" />
        <a href="/talk" className={`${row} text-muted hover:bg-hover hover:text-ink`}>
          <Icon name="microphone" />
          Talk to an agent
        </a>
        <a
          href="/docs/guide"
          target="_blank"
          rel="noreferrer"
          className={`${row} mt-auto text-muted hover:bg-hover hover:text-ink`}
        >
          <Icon name="docs" />
          Documentation
          <Icon name="out" className="ml-auto size-3.5" />
        </a>
      </nav>
      <div className="flex items-center gap-1 border-t border-line pt-3">
        <div className="min-w-0 flex-1" title={email}>
          <Entries entries={[{ to: 'account', label: name ?? email, icon: 'account' }]} onLeave={onLeave} />
        </div>
        <SignOutButton quiet />
      </div>
    </div>
  )
}

interface EntriesProps {
  entries: readonly MenuEntry[]
  title?: string
  onLeave(): void
}

function Entries({ entries, title, onLeave }: EntriesProps) {
  const whyNot = use(Rights)
  const here = usePlace().steps[0] ?? 'agents'
  return (
    <div className="min-w-0">
      {title && <p className="px-2.5 pb-1.5 text-xs font-medium text-muted">{title}</p>}
      <ul className="space-y-0.5">
        {entries
          .filter(({ needs }) => !needs || !whyNot(needs.access))
          .map(({ to, label, icon }) => (
            <li key={to}>
              <Link
                to={`/${to}`}
                onClick={onLeave}
                aria-current={here === to ? 'page' : undefined}
                className={`${row} ${here === to ? 'bg-line/80 text-ink' : 'text-muted hover:bg-hover hover:text-ink'}`}
              >
                <Icon name={icon} />
                <span className="truncate">{label}</span>
              </Link>
            </li>
          ))}
      </ul>
    </div>
  )
}

function WorkspaceSwitcher({ onChoose }: { onChoose(): void }) {
  const { all, current, choose } = useWorkspaces()
  const id = useId()
  const { steps } = usePlace()
  const change = (workspaceId: string) => {
    // Leaves the current item, which belongs to the former workspace; asks first if there is unsaved work.
    if (steps.length > 1 && !go(`/${steps[0]}`)) return
    choose(workspaceId)
    onChoose()
  }
  if (!current) return null
  return (
    <div>
      <label htmlFor={id} className="block px-2.5 pb-1.5 text-xs font-medium text-muted">
        Workspace
      </label>
      <SelectBox
        id={id}
        options={Object.fromEntries(all.map(({ workspace_id, name }) => [workspace_id, name]))}
        value={current.workspace_id}
        onChange={(event) => change(event.target.value)}
      />
    </div>
  )
}
