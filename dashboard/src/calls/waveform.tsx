// The recording as two waveforms, the caller above and the agent below, in which one clicks or moves with the arrow keys.
import type { KeyboardEvent, PointerEvent } from 'react'
import { lengthWords } from './call-words.tsx'

export interface Peaks {
  readonly seconds: number
  /** The peaks of the caller (left) and the agent (right), from 0 to 100 percent of the loudest possible. */
  readonly left: readonly number[]
  readonly right: readonly number[]
}

interface WaveformProps {
  peaks: Peaks | undefined
  seconds: number
  at: number
  onSeek(seconds: number): void
  onToggle(): void
}

const stepSeconds = 5

export function Waveform({ peaks, seconds, at, onSeek, onToggle }: WaveformProps) {
  const press = (event: KeyboardEvent) => {
    const to: Record<string, number> = {
      ArrowRight: at + stepSeconds,
      ArrowUp: at + stepSeconds,
      ArrowLeft: at - stepSeconds,
      ArrowDown: at - stepSeconds,
      PageUp: at + 6 * stepSeconds,
      PageDown: at - 6 * stepSeconds,
      Home: 0,
      End: seconds,
    }
    const target = to[event.key]
    if (target !== undefined) onSeek(Math.min(seconds, Math.max(0, target)))
    else if (event.key === ' ' || event.key === 'Enter') onToggle()
    else return
    event.preventDefault()
  }
  const seek = (event: PointerEvent<HTMLElement>) => {
    if (event.type === 'pointermove' && event.buttons === 0) return
    const { left, width } = event.currentTarget.getBoundingClientRect()
    onSeek(Math.min(1, Math.max(0, (event.clientX - left) / width)) * seconds)
  }
  const share = seconds > 0 ? (at / seconds) * 100 : 0
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label="Position in the recording"
      aria-valuemin={0}
      aria-valuemax={Math.round(seconds)}
      aria-valuenow={Math.round(at)}
      aria-valuetext={`${lengthWords(at)} of ${lengthWords(seconds)}`}
      onKeyDown={press}
      onPointerDown={seek}
      onPointerMove={seek}
      className="relative h-24 cursor-pointer touch-pan-y overflow-hidden rounded-lg bg-hover select-none"
    >
      {peaks && (
        <>
          <Channel peaks={peaks.left} share={share} className="top-1 text-muted" />
          <Channel peaks={peaks.right} share={share} className="bottom-1 text-accent" />
        </>
      )}
      <span aria-hidden="true" className="absolute inset-x-0 top-1/2 h-px bg-line" />
      <span
        aria-hidden="true"
        className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-ink"
        style={{ left: `${share}%` }}
      />
      <span className="absolute top-1 left-2 text-xs font-medium text-muted">Caller</span>
      <span className="absolute bottom-1 left-2 text-xs font-medium text-accent-ink">Agent</span>
    </div>
  )
}

interface ChannelProps {
  peaks: readonly number[]
  share: number
  className: string
}

/** The peaks of one side. The part that has been played is solid and the rest pale: the same drawing twice, the upper one clipped. */
function Channel({ peaks, share, className }: ChannelProps) {
  // Speech rarely comes near the loudest, so the drawing is scaled to what there is.
  const loudest = Math.max(10, ...peaks)
  const path = peaks
    .map((peak, at) => {
      const half = Math.max(0.6, (peak / loudest) * 48)
      return `M${at + 0.5} ${(50 - half).toFixed(1)}V${(50 + half).toFixed(1)}`
    })
    .join('')
  const drawing = (opacity: string) => (
    <svg
      viewBox={`0 0 ${peaks.length} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className={`h-full w-full ${opacity}`}
    >
      <path d={path} stroke="currentColor" strokeWidth="0.75" fill="none" />
    </svg>
  )
  return (
    <div className={`absolute inset-x-0 h-[calc(50%-0.375rem)] ${className}`}>
      <div className="absolute inset-0">{drawing('opacity-50')}</div>
      <div className="absolute inset-0" style={{ clipPath: `inset(0 ${100 - share}% 0 0)` }}>
        {drawing('opacity-100')}
      </div>
    </div>
  )
}
