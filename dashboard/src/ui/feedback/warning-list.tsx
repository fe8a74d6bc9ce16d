// What may not be as it was meant in an agent that was saved or is tried: a sentence for each field.
interface WarningListProps {
  warnings: readonly { path: string; message: string }[]
}

export function WarningList({ warnings }: WarningListProps) {
  if (warnings.length === 0) return null
  return (
    <ul
      aria-label="Warnings"
      className="border-b border-line bg-wait-soft px-4 py-2 text-[0.8125rem] text-wait"
    >
      {warnings.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          <code className="font-mono text-xs">{path.replace('agent_config.', '')}</code> {message}
        </li>
      ))}
    </ul>
  )
}
