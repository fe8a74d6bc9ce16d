// Where a recording is being played, so that words and a waveform can follow it and move it.
import { type RefObject, useCallback, useRef, useState } from 'react'

export interface Playback {
  readonly audio: RefObject<HTMLAudioElement | null>
  readonly at: number
  setAt(seconds: number): void
  /** Goes there, and plays on only if it played before. */
  moveTo(seconds: number): void
  /** Plays from there. */
  seek(seconds: number): void
  /** Plays or pauses. */
  toggle(): void
}

const play = (element: HTMLAudioElement | null): void => void element?.play().catch(() => {})

export function usePlayback(): Playback {
  const audio = useRef<HTMLAudioElement>(null)
  const [at, setAt] = useState(0)
  const moveTo = useCallback((seconds: number) => {
    if (audio.current) audio.current.currentTime = seconds
    setAt(seconds)
  }, [])
  const seek = useCallback(
    (seconds: number) => {
      if (!audio.current) return
      moveTo(seconds)
      play(audio.current)
    },
    [moveTo],
  )
  const toggle = useCallback(() => {
    if (audio.current?.paused) play(audio.current)
    else audio.current?.pause()
  }, [])
  return { audio, at, setAt, moveTo, seek, toggle }
}
