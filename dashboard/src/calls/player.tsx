// Plays the recording of a call: waveform, speed, and the position that the transcript follows.
import { useState } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { type Playing, togglePlaying, useFrames } from '../ui/sound/playing.ts'
import { lengthWords } from './call-words.tsx'
import type { Recording } from './recording.ts'
import { Waveform } from './waveform.tsx'

const speeds = [1, 1.25, 1.5, 2]

interface PlayerProps {
  recording: Recording
  /** The conversation's length, until the recording itself is known. */
  duration: number
  playing: Playing
}

export function Player({ recording: { source, peaks }, duration, playing }: PlayerProps) {
  const { audio, at, setAt } = playing
  const [paused, setPaused] = useState(true)
  const [speed, setSpeed] = useState(1)
  const seconds = peaks?.seconds ?? duration
  useFrames(!paused, playing)
  const toggle = () => togglePlaying(playing)
  const seek = (to: number) => {
    if (audio.current) audio.current.currentTime = to
    setAt(to)
  }
  const next = speeds[(speeds.indexOf(speed) + 1) % speeds.length] as number
  return (
    <section aria-label="Recording" className="rounded-xl border border-line bg-surface p-4 shadow-card">
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript below is its text */}
      <audio
        ref={audio}
        src={source}
        preload="metadata"
        onPlay={() => setPaused(false)}
        onPause={() => setPaused(true)}
        onSeeked={({ currentTarget }) => setAt(currentTarget.currentTime)}
      />
      <Waveform peaks={peaks} seconds={seconds} at={at} onSeek={seek} onToggle={toggle} />
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button kind="primary" aria-label={paused ? 'Play' : 'Pause'} onClick={toggle}>
          <Icon name={paused ? 'play' : 'pause'} />
        </Button>
        <p className="min-w-28 px-1 text-[0.8125rem] text-muted tabular-nums">
          {lengthWords(at)} / {lengthWords(seconds)}
        </p>
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
        <a
          href={source}
          download
          className="ml-auto rounded text-[0.8125rem] font-medium text-muted hover:text-ink"
        >
          Download WAV
        </a>
      </div>
    </section>
  )
}
