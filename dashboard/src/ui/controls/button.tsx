// Buttons, and links that look like them.
import type { Address } from '@parley/contract/addresses'
import type { ButtonHTMLAttributes } from 'react'
import { Link } from '../../router.tsx'
import { useWhyNot } from './may.tsx'

const kinds = {
  primary: 'bg-accent text-white shadow-card hover:bg-accent-strong',
  plain: 'border border-edge bg-surface text-ink shadow-card hover:bg-hover',
  quiet: 'text-muted hover:bg-hover hover:text-ink',
  danger: 'bg-bad-strong text-white shadow-card hover:opacity-90',
  warning: 'border border-edge bg-surface text-bad shadow-card hover:bg-bad-soft',
}

const sizes = { small: 'h-7 px-2 text-[0.8125rem]', normal: 'h-9 px-3.5 sm:h-8 sm:px-3' }

interface Looks {
  kind?: keyof typeof kinds
  size?: keyof typeof sizes
}

const looks = ({ kind = 'plain', size = 'normal' }: Looks) =>
  `inline-flex items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap transition-colors disabled:opacity-55 ${kinds[kind]} ${sizes[size]}`

interface RightsProps {
  /** The operation behind the button. Users who may not use it see why, and cannot press it. */
  needs?: Pick<Address, 'access'>
}

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & Looks & RightsProps & { busy?: boolean }

export function Button({
  kind,
  size,
  busy = false,
  className = '',
  disabled,
  needs,
  title,
  ...rest
}: ButtonProps) {
  const whyNot = useWhyNot(needs)
  return (
    <button
      type="button"
      {...rest}
      title={whyNot ?? title}
      disabled={disabled || busy || whyNot !== undefined}
      aria-busy={busy}
      className={`${looks({ ...(kind && { kind }), ...(size && { size }) })} ${className}`}
    />
  )
}

interface ButtonLinkProps extends Pick<Looks, 'kind'>, RightsProps {
  to: string
  children: React.ReactNode
}

export function ButtonLink({ to, kind = 'primary', needs, children }: ButtonLinkProps) {
  const whyNot = useWhyNot(needs)
  if (whyNot) {
    return (
      <Button kind={kind} disabled title={whyNot}>
        {children}
      </Button>
    )
  }
  return (
    <Link to={to} className={looks({ kind })}>
      {children}
    </Link>
  )
}

/** A link that downloads what is at its address. */
export function DownloadLink({ href, children }: { href: string; children: React.ReactNode }) {
  return (
    <a href={href} download className={looks({})}>
      {children}
    </a>
  )
}

/** A link to a page outside the dashboard. */
export function ButtonAnchor({ href, children }: { href: string; children: React.ReactNode }) {
  return (
    <a href={href} className={looks({ kind: 'plain' })}>
      {children}
    </a>
  )
}
