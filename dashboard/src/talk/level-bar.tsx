// The level of one side, drawn in every animation frame without rendering React.
import { useEffect, useRef } from 'react'
import type { Meter } from './meter.ts'

const unheard = { transform: 'scaleX(0)' }
// The bar falls to this share of its level with every frame: slower than it rises, like other level meters.
const fall = 0.88

export function LevelBar({ label, meter }: { label: string; meter: Meter }) {
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let shown = 0
    let asked = 0
    const draw = () => {
      shown = Math.max(meter.level(), shown * fall)
      if (bar.current) bar.current.style.transform = `scaleX(${shown.toFixed(3)})`
      asked = requestAnimationFrame(draw)
    }
    draw()
    return () => cancelAnimationFrame(asked)
  }, [meter])
  return (
    <div className="flex items-center gap-3">
      <span className="w-11 text-xs font-medium text-muted">{label}</span>
      <div className="h-1.5 flex-1 overflow-hidden rounded-full bg-hover">
        <div
          ref={bar}
          data-level={label}
          className="h-full origin-left rounded-full bg-accent"
          style={unheard}
        />
      </div>
    </div>
  )
}
