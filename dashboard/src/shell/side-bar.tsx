// Navigation: every page, the choice of workspace, and signing out.
import { type Address, dashboardAddresses } from '@parley/contract/addresses'
import { use } from 'react'
import { Link, usePlace } from '../router.tsx'
import { useUser } from '../session/session.tsx'
import { SignOutButton } from '../session/sign-out-button.tsx'
import { Icon, type IconName, Logo } from '../ui/controls/icons.tsx'
import { Rights } from '../ui/controls/may.tsx'
import { WorkspaceSwitcher } from './workspace-switcher.tsx'

interface Way {
  readonly to: string
  readonly label: string
  readonly icon: IconName
  readonly needs?: Pick<Address, 'access'>
}

const inWorkspace: Way[] = [
  { to: 'overview', label: 'Overview', icon: 'overview' },
  { to: 'agents', label: 'Agents', icon: 'agents' },
  { to: 'calls', label: 'Calls', icon: 'calls' },
  { to: 'batches', label: 'Batches', icon: 'batches' },
  { to: 'numbers', label: 'Numbers', icon: 'numbers' },
  { to: 'knowledge', label: 'Knowledge', icon: 'knowledge' },
  { to: 'tools', label: 'Tools', icon: 'tool' },
  { to: 'pronunciations', label: 'Pronunciation', icon: 'speaker' },
  { to: 'vendors', label: 'Vendors', icon: 'keys' },
  { to: 'webhooks', label: 'Webhooks', icon: 'webhooks' },
  { to: 'usage', label: 'Usage', icon: 'usage' },
  { to: 'transcripts', label: 'Transcripts', icon: 'transcripts' },
  { to: 'people', label: 'People', icon: 'users' },
]
const inHouse: Way[] = [
  { to: 'keys', label: 'API keys', icon: 'keys', needs: dashboardAddresses.listKeys },
  { to: 'workspaces', label: 'Workspaces', icon: 'workspaces' },
  { to: 'users', label: 'Users', icon: 'users', needs: dashboardAddresses.listUsers },
]

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
        <Ways ways={inWorkspace} onLeave={onLeave} />
        <Ways ways={inHouse} onLeave={onLeave} title="Installation" />
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
          <Ways ways={[{ to: 'account', label: name ?? email, icon: 'account' }]} onLeave={onLeave} />
        </div>
        <SignOutButton quiet />
      </div>
    </div>
  )
}

function Ways({ ways, title, onLeave }: { ways: Way[]; title?: string; onLeave(): void }) {
  const whyNot = use(Rights)
  const here = usePlace().steps[0] ?? 'agents'
  return (
    <div className="min-w-0">
      {title && <p className="px-2.5 pb-1.5 text-xs font-medium text-muted">{title}</p>}
      <ul className="space-y-0.5">
        {ways
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
