// An error, in the server's own sentence, with every fault that it named.
import { Refusal } from '../../api.ts'
import { Icon } from '../controls/icons.tsx'

export function RefusalNotice({ error }: { error: Error }) {
  const faults = error instanceof Refusal ? error.faults : []
  const requestId = error instanceof Refusal && error.status >= 500 ? error.requestId : undefined
  return (
    <div role="alert" className="flex gap-2.5 rounded-lg bg-bad-soft px-3.5 py-3 text-bad">
      <Icon name="alert" className="mt-0.5 size-4" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{error.message}</p>
        {faults.length > 0 && (
          <ul className="mt-1.5 space-y-1">
            {faults.map(({ path, message }) => (
              <li key={path + message} className="wrap-anywhere">
                {path && <code className="mr-1.5 font-mono text-xs font-medium">{path}</code>}
                {message}
              </li>
            ))}
          </ul>
        )}
        {requestId && <p className="mt-1 font-mono text-xs">Request {requestId}</p>}
      </div>
    </div>
  )
}
