// The icons of the dashboard. Decorative: the text beside an icon says the same.
const drawings = {
  agents: 'M4 10v4M8 7v10M12 4v16M16 8v8M20 10.5v3',
  batches: 'M4 6h10M4 11h7M4 16h5M14.5 13.5c0 3.5 2.5 6 6 6v-3l-2.2-.8-1 1a6 6 0 0 1-2-2l1-1-.8-2.2h-3',
  webhooks:
    'M12 8.4a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM5.8 20a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM18.2 20a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM10.8 8.1 7 15.3M13.2 8.1l3.8 7.2M8.3 17.5h7.4',
  transcripts: 'M4 6h16M4 10.5h10M4 15h13M4 19.5h7',
  keys: 'M15.5 3.5a5 5 0 1 0 0 10 5 5 0 0 0 0-10ZM12 12l-8 8M6.5 17.5 9 20M9.5 14.5 12 17',
  workspaces: 'M4 8.5 12 4.5l8 4-8 4-8-4ZM4 12.5l8 4 8-4M4 16.5l8 4 8-4',
  users:
    'M9 11a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 9 11ZM3 19.5a6 6 0 0 1 12 0M16 5a3 3 0 0 1 0 5.8M18 14.4a6 6 0 0 1 3 5.1',
  account: 'M12 12a3.6 3.6 0 1 0 0-7.2 3.6 3.6 0 0 0 0 7.2ZM5 20a7 7 0 0 1 14 0',
  docs: 'M6 4h9l4 4v12H6V4ZM14.5 4v4.5H19M9 13h7M9 16.5h5',
  out: 'M8 8h8v8M16 8 7 17',
  leave: 'M14 4h4.5v16H14M10.5 8 6.5 12l4 4M7 12h8',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  plus: 'M12 5v14M5 12h14',
  microphone:
    'M12 3.5a2.8 2.8 0 0 1 2.8 2.8v5a2.8 2.8 0 0 1-5.6 0v-5A2.8 2.8 0 0 1 12 3.5ZM5.8 11a6.2 6.2 0 0 0 12.4 0M12 17.2v3.3',
  muted:
    'M9.2 9v2.3a2.8 2.8 0 0 0 4.6 2.1M14.8 10V6.3a2.8 2.8 0 0 0-5.4-1M5.8 11a6.2 6.2 0 0 0 9.6 5.2M18.2 11a6 6 0 0 1-.6 2.7M12 17.2v3.3M4 4l16 16',
  speaker: 'M5 9.5h3l4.5-4v13l-4.5-4H5v-5ZM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11',
  hangUp: 'M3.5 15.2v-2c0-2.4 3.8-4.2 8.5-4.2s8.5 1.8 8.5 4.2v2l-4.6.9-.6-3a12 12 0 0 0-6.6 0l-.6 3-4.6-.9Z',
  tool: 'M14.5 6.5a4 4 0 0 0-5.2 5.1L4 17l3 3 5.4-5.3a4 4 0 0 0 5.1-5.2L15 12l-3-3 2.5-2.5Z',
  back: 'M14 6l-6 6 6 6',
  next: 'M10 6l6 6-6 6',
  copy: 'M9 9h10.5v10.5H9V9ZM15 9V4.5H4.5V15H9',
  check: 'M5 12.5 10 17.5 19.5 7',
  alert: 'M12 8v5M12 16.2v.1M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17Z',
  calls:
    'M5.5 4h3.2l1.6 4-2 1.4a11 11 0 0 0 6.3 6.3l1.4-2 4 1.6v3.2a1.6 1.6 0 0 1-1.8 1.6A16 16 0 0 1 3.9 5.8 1.6 1.6 0 0 1 5.5 4Z',
  outbound: 'M7 17 17 7M9 7h8v8',
  inbound: 'M17 7 7 17M15 17H7V9',
  numbers: 'M9.5 4 7.5 20M16.5 4l-2 16M4.5 9h16M3.5 15h16',
  knowledge: 'M12 6.5C10 5 7 4.5 4 5v13c3-.5 6 0 8 1.5 2-1.5 5-2 8-1.5V5c-3-.5-6 0-8 1.5ZM12 6.5v13',
  overview: 'M4 20V10M10 20V4M16 20v-7M21 20H3',
  usage: 'M4 19.5h16M5.5 15l4-5 3.5 3 5.5-7M18.5 6h-3.5M18.5 6v3.5',
  search: 'M10.8 4.5a6.3 6.3 0 1 0 0 12.6 6.3 6.3 0 0 0 0-12.6ZM15.5 15.5 20 20',
  play: 'M8 5.5v13l10.5-6.5L8 5.5Z',
  pause: 'M8.5 5.5v13M15.5 5.5v13',
  undo: 'M9 14 4.5 9.5 9 5M5 9.5h9a5 5 0 0 1 0 10h-3',
  redo: 'M15 14l4.5-4.5L15 5M19 9.5h-9a5 5 0 0 0 0 10h3',
  share: 'M14 5h5v5M19 5l-8 8M11 6H5v13h13v-6',
  unfold: 'M8 9.5 12 5.5l4 4M8 14.5l4 4 4-4',
}

export type IconName = keyof typeof drawings

export function Icon({ name, className = 'size-4' }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`shrink-0 ${className}`}
    >
      <path d={drawings[name]} />
    </svg>
  )
}

export function Logo({ className = 'size-6' }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={`shrink-0 ${className}`}>
      <rect width="24" height="24" rx="6" className="fill-accent" />
      <path
        d="M6.5 10v4M10.2 7v10M13.8 9v6M17.5 10.6v2.8"
        stroke="#fff"
        strokeWidth="1.9"
        strokeLinecap="round"
      />
    </svg>
  )
}
