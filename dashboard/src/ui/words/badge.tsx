// A word about a state, with a dot whose colour repeats it.
const tones = {
  good: 'bg-good-soft text-good',
  wait: 'bg-wait-soft text-wait',
  bad: 'bg-bad-soft text-bad',
  off: 'bg-hover text-muted',
  accent: 'bg-accent-soft text-accent-ink',
}

export type Tone = keyof typeof tones

interface BadgeProps {
  tone: Tone
  dot?: boolean
  title?: string
  children: string
}

export function Badge({ tone, dot = false, title, children }: BadgeProps) {
  return (
    <span
      title={title}
      className={`inline-flex items-center gap-1.5 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap ${tones[tone]}`}
    >
      {dot && <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />}
      {children}
    </span>
  )
}
