// Plays a recording: a button that plays and pauses, the speed, and what its place adds to them.
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { Icon } from '../controls/icons.tsx'
import type { Playback } from './playback.ts'

interface PlayerProps {
  source: string
  playing: Playback
  /** Each press of the button takes the next one; the first is the usual one. */
  speeds: readonly number[]
  className: string
  above?: ReactNode
  /** Between the buttons: the position, in the form that the place gives it. */
  children: ReactNode
  after?: ReactNode
}

export function Player({ source, playing, speeds, className, above, children, after }: PlayerProps) {
  const { audio, setAt, toggle } = playing
  const [paused, setPaused] = useState(true)
  const [speed, setSpeed] = useState(1)
  useFrames(!paused, playing)
  const next = speeds[(speeds.indexOf(speed) + 1) % speeds.length] as number
  return (
    <section aria-label="Recording" className={className}>
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript below is its text */}
      <audio
        ref={audio}
        src={source}
        preload="metadata"
        onPlay={() => setPaused(false)}
        onPause={() => setPaused(true)}
        onSeeked={({ currentTarget }) => setAt(currentTarget.currentTime)}
      />
      {above}
      <div className="flex flex-wrap items-center gap-2">
        <Button kind="primary" aria-label={paused ? 'Play' : 'Pause'} onClick={toggle}>
          <Icon name={paused ? 'play' : 'pause'} />
        </Button>
        {children}
        <Button
          size="small"
          aria-label={`Speed: ${speed} times`}
          title="Speed"
          onClick={() => {
            setSpeed(next)
            if (audio.current) audio.current.playbackRate = next
          }}
        >
          {speed}×
        </Button>
        {after}
      </div>
    </section>
  )
}

/** Follows the sound once per painted frame: the browser itself tells its time only four times a second. */
function useFrames(running: boolean, { audio, setAt }: Playback): void {
  useEffect(() => {
    if (!running) return
    let frame = requestAnimationFrame(function next() {
      if (audio.current) setAt(audio.current.currentTime)
      frame = requestAnimationFrame(next)
    })
    return () => cancelAnimationFrame(frame)
  }, [running, audio, setAt])
}
