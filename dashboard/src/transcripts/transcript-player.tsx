// Plays the recording of a transcript, and says where it is so that the words follow.
import { type CSSProperties, useState } from 'react'
import { recordingAt } from '../api.ts'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { type Playing, togglePlaying, useFrames } from '../ui/sound/playing.ts'
import { clockOf } from './transcript.ts'

const speeds = [1, 1.25, 1.5, 2, 0.75]
const skipSeconds = 5

interface TranscriptPlayerProps {
  /** Signed. */
  url: string
  duration: number
  playing: Playing
}

export function TranscriptPlayer({ url, duration, playing: { audio, at, setAt } }: TranscriptPlayerProps) {
  // The signature changes with every look at the file; the sound does not.
  const [source] = useState(() => recordingAt(url))
  const [paused, setPaused] = useState(true)
  const [speed, setSpeed] = useState(1)
  useFrames(!paused, { audio, setAt })
  const move = (to: number) => {
    if (audio.current) audio.current.currentTime = Math.min(Math.max(0, to), duration)
    setAt(to)
  }
  const faster = speeds[(speeds.indexOf(speed) + 1) % speeds.length] as number
  return (
    <section aria-label="Recording" className="flex flex-wrap items-center gap-2 p-3">
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript below is its text */}
      <audio
        ref={audio}
        src={source}
        preload="metadata"
        onPlay={() => setPaused(false)}
        onPause={() => setPaused(true)}
        onSeeked={({ currentTarget }) => setAt(currentTarget.currentTime)}
      />
      <Button kind="primary" aria-label={paused ? 'Play' : 'Pause'} onClick={() => togglePlaying({ audio })}>
        <Icon name={paused ? 'play' : 'pause'} />
      </Button>
      <Button size="small" onClick={() => move(at - skipSeconds)}>
        −{skipSeconds} s
      </Button>
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={`${clockOf(at)} of ${clockOf(duration)}`}
        min={0}
        max={duration}
        step={0.1}
        value={Math.min(at, duration)}
        onChange={({ target }) => move(Number(target.value))}
        style={{ '--done': `${(100 * Math.min(at, duration)) / (duration || 1)}%` } as CSSProperties}
        className="min-w-24 flex-1"
      />
      <p className="text-[0.8125rem] text-muted tabular-nums">
        {clockOf(at)} / {clockOf(duration)}
      </p>
      <Button
        size="small"
        aria-label={`Speed: ${speed} times`}
        onClick={() => {
          setSpeed(faster)
          if (audio.current) audio.current.playbackRate = faster
        }}
      >
        {speed}×
      </Button>
    </section>
  )
}
