// Plays the recording of a call: waveform, speed, and the position that the transcript follows.
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { recordingAt, recordingPeaks } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'
import { lengthWords } from './call-words.tsx'
import { Waveform } from './waveform.tsx'

const speeds = [1, 1.25, 1.5, 2]

/** Where a recording is being played. */
export interface Playing {
  readonly audio: RefObject<HTMLAudioElement | null>
  readonly at: number
  setAt(seconds: number): void
  /** Plays from there. */
  seek(seconds: number): void
}

export function usePlaying(): Playing {
  const audio = useRef<HTMLAudioElement>(null)
  const [at, setAt] = useState(0)
  const seek = (seconds: number) => {
    const element = audio.current
    if (!element) return
    element.currentTime = seconds
    setAt(seconds)
    void element.play().catch(() => {})
  }
  return { audio, at, setAt, seek }
}

interface PlayerProps {
  /** Signed. */
  url: string
  /** Of the conversation, until the recording itself is known. */
  duration: number
  playing: Playing
}

export function Player({ url, duration, playing: { audio, at, setAt } }: PlayerProps) {
  // The signature changes with every look at the call; the sound does not.
  const [source] = useState(() => recordingAt(url))
  const [paused, setPaused] = useState(true)
  const [speed, setSpeed] = useState(1)
  const peaks = useQuery({
    queryKey: ['peaks', source],
    queryFn: () => recordingPeaks(url),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const seconds = peaks.data?.seconds ?? duration
  useFrames(!paused, () => audio.current && setAt(audio.current.currentTime))
  const toggle = () => {
    const element = audio.current
    if (element?.paused) void element.play().catch(() => {})
    else element?.pause()
  }
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
      <Waveform peaks={peaks.data} seconds={seconds} at={at} onSeek={seek} onToggle={toggle} />
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

/** Once per painted frame: the browser itself tells the time of a sound only four times a second. */
function useFrames(running: boolean, paint: () => void): void {
  const latest = useRef(paint)
  latest.current = paint
  useEffect(() => {
    if (!running) return
    let frame = requestAnimationFrame(function next() {
      latest.current()
      frame = requestAnimationFrame(next)
    })
    return () => cancelAnimationFrame(frame)
  }, [running])
}
