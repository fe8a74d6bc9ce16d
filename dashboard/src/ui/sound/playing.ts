// Where a recording is being played, so that words and a waveform can follow it and move it.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

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
  const seek = useCallback((seconds: number) => {
    const element = audio.current
    if (!element) return
    element.currentTime = seconds
    setAt(seconds)
    void element.play().catch(() => {})
  }, [])
  return { audio, at, setAt, seek }
}

/** Once per painted frame: the browser itself tells the time of a sound only four times a second. */
export function useFrames(running: boolean, { audio, setAt }: Pick<Playing, 'audio' | 'setAt'>): void {
  useEffect(() => {
    if (!running) return
    let frame = requestAnimationFrame(function next() {
      if (audio.current) setAt(audio.current.currentTime)
      frame = requestAnimationFrame(next)
    })
    return () => cancelAnimationFrame(frame)
  }, [running, audio, setAt])
}

export const togglePlaying = ({ audio: { current } }: Pick<Playing, 'audio'>): void => {
  if (current?.paused) void current.play().catch(() => {})
  else current?.pause()
}
