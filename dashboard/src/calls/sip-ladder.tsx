// The SIP messages of a telephone call as a ladder: us on the left, the trunk on the right, an arrow for each message.
import type { CallSip } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { ladderOf, type Rung } from './ladder.ts'
import { type CallPlace, callKey } from './use-call.ts'

/** The SIP messages of a call. Undefined until they are stored, and for calls that did not go over a trunk. */
export function useSip(place: CallPlace, { over, isOverTrunk }: { over: boolean; isOverTrunk: boolean }) {
  const { data } = useQuery({
    queryKey: callKey(place, 'sip'),
    queryFn: () => api.callSip(place.workspaceId, place.sessionId),
    enabled: over,
    // The messages are stored some seconds after the end.
    refetchInterval: ({ state }) =>
      isOverTrunk && state.data?.messages.length === 0 && state.dataUpdateCount < 4 && 2_000,
  })
  return data && data.messages.length > 0 ? data : undefined
}

export function SipLadder({ sip }: { sip: CallSip }) {
  const rungs = ladderOf(sip.messages)
  const peers = [...new Set(sip.messages.map(({ peer }) => peer))]
  return (
    <section
      aria-label="SIP messages"
      className="rounded-xl border border-line bg-surface p-4 shadow-card sm:p-5"
    >
      <div className="mb-2 flex justify-between gap-4 text-xs font-medium text-muted">
        <span>Parley</span>
        <span className="text-right wrap-anywhere">{peers.join(', ')}</span>
      </div>
      <ol className="border-x border-edge">
        {rungs.map((rung, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: stored once, never changed
          <li key={at}>
            <details className="group">
              <summary className="block cursor-pointer rounded px-1 py-1.5 marker:content-none hover:bg-hover">
                <Arrow rung={rung} />
              </summary>
              <pre className="mx-3 mb-3 overflow-x-auto rounded-md bg-hover p-3 font-mono text-xs leading-relaxed whitespace-pre-wrap wrap-anywhere">
                {rung.text.trim()}
              </pre>
            </details>
          </li>
        ))}
      </ol>
      {sip.left_out > 0 && (
        <p className="mt-3 text-[0.8125rem] text-muted">{sip.left_out} more were not kept.</p>
      )}
    </section>
  )
}

const colours = {
  request: 'text-accent-ink',
  trying: 'text-muted',
  success: 'text-good',
  redirect: 'text-wait',
  refusal: 'text-bad',
}

function Arrow({ rung: { out, kind, first, more, atMs, again } }: { rung: Rung }) {
  return (
    <div className={`flex items-center gap-2 ${colours[kind]}`}>
      <span className="w-16 shrink-0 text-right font-mono text-xs text-muted tabular-nums">
        {atMs < 10_000 ? `${atMs} ms` : `${(atMs / 1000).toFixed(1)} s`}
      </span>
      <span aria-hidden="true">{out ? '' : '◀'}</span>
      <span aria-hidden="true" className="h-px min-w-3 flex-1 bg-current opacity-50" />
      <span className="min-w-0 text-center text-[0.8125rem]">
        <span className="sr-only">{out ? 'Sent: ' : 'Received: '}</span>
        <span className="font-medium">{first}</span>
        {more && <span className="text-muted"> {more}</span>}
        {again && <span className="text-muted"> · repeated</span>}
      </span>
      <span aria-hidden="true" className="h-px min-w-3 flex-1 bg-current opacity-50" />
      <span aria-hidden="true">{out ? '▶' : ''}</span>
    </div>
  )
}
