// The latency of each answer, from the caller's last sound to the agent's first, by stage.
import type { LatencyOfTurn } from '@parley/contract'

const stages = [
  { name: 'hearing', label: 'Hearing', colour: 'bg-wait' },
  { name: 'waiting', label: 'End of turn', colour: 'bg-muted/45' },
  { name: 'thinking', label: 'Thinking', colour: 'bg-accent' },
  { name: 'speaking', label: 'Speaking', colour: 'bg-good' },
] as const

/**
 * Sequential stages that add up to the total. The transcriber works during endpointing, and the model and the
 * synthesizer may too: work in that time adds no latency.
 */
function stagesOf({ stt, endpointing, tts, total }: LatencyOfTurn) {
  const waited = endpointing ?? 0
  const hearing = Math.min(stt ?? 0, waited)
  const after = Math.max(0, (total ?? 0) - waited)
  const speaking = Math.min(tts ?? 0, after)
  return { hearing, waiting: waited - hearing, thinking: after - speaking, speaking }
}

// The least length of the scale, so that bars of fast turns keep their scale from turn to turn.
const leastScaleMs = 1_000

interface LatencyBarsProps {
  turns: readonly LatencyOfTurn[]
  /** Plays the answer of a turn. Left out: there is no recording. */
  onPlay?: ((turn: number) => void) | undefined
}

export function LatencyBars({ turns, onPlay }: LatencyBarsProps) {
  const scaleMs = Math.max(leastScaleMs, ...turns.map(({ total }) => total ?? 0))
  return (
    <section
      aria-label="Latency"
      className="flex flex-col rounded-xl border border-line bg-surface p-5 shadow-card"
    >
      <h2 className="text-[0.8125rem] font-semibold">Time to answer</h2>
      {turns.length === 0 ? (
        <p className="mt-1 text-[0.8125rem] text-muted">Every answer of the agent is measured here.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard scrolls what has the focus.
        <ol tabIndex={0} aria-label="Answers" className="mt-3 min-h-0 space-y-2 overflow-y-auto">
          {turns.map((turn) => (
            <Bar key={turn.turn} turn={turn} scaleMs={scaleMs} onPlay={onPlay} />
          ))}
        </ol>
      )}
      {turns.length > 0 && (
        <ul className="mt-3 flex flex-wrap gap-x-3 gap-y-1 text-xs text-muted">
          {stages.map(({ name, label, colour }) => (
            <li key={name} className="flex items-center gap-1.5">
              <span aria-hidden="true" className={`size-2 rounded-xs ${colour}`} />
              {label}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

interface BarProps extends Pick<LatencyBarsProps, 'onPlay'> {
  turn: LatencyOfTurn
  scaleMs: number
}

function Bar({ turn, scaleMs, onPlay }: BarProps) {
  const took = stagesOf(turn)
  const told = stages.map(({ name, label }) => `${label} ${Math.round(took[name])} ms`).join(', ')
  return (
    <li className="flex items-center gap-2 text-xs tabular-nums" title={told}>
      {onPlay ? (
        <button
          type="button"
          aria-label={`Play answer ${turn.turn}`}
          onClick={() => onPlay(turn.turn)}
          className="w-5 rounded text-right text-muted hover:text-accent-ink hover:underline"
        >
          {turn.turn}
        </button>
      ) : (
        <span className="w-5 text-right text-muted">{turn.turn}</span>
      )}
      <span className="sr-only">{told}</span>
      <div aria-hidden="true" className="flex h-3 flex-1 gap-px overflow-hidden rounded-xs bg-hover">
        {stages.map(({ name, colour }) => (
          <div key={name} className={colour} style={{ width: `${(took[name] / scaleMs) * 100}%` }} />
        ))}
      </div>
      <span className="w-14 text-right text-muted">{Math.round(turn.total ?? 0)} ms</span>
    </li>
  )
}
