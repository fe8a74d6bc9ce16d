// The recording of a transcript: the player in one row, with a slider for the position.
import { type CSSProperties, useState } from 'react'
import { recordingAt } from '../api.ts'
import { Button } from '../ui/controls/button.tsx'
import type { Playback } from '../ui/sound/playback.ts'
import { Player } from '../ui/sound/player.tsx'
import { clockOf } from './transcript.ts'

// The slow speed is for people who type while they listen.
const speeds = [1, 1.25, 1.5, 2, 0.75]
const skipSeconds = 5

interface TranscriptPlayerProps {
  /** The signed address of the file. */
  url: string
  duration: number
  playing: Playback
}

export function TranscriptPlayer({ url, duration, playing }: TranscriptPlayerProps) {
  // The signature changes with every look at the file; the sound does not.
  const [source] = useState(() => recordingAt(url))
  const at = Math.min(playing.at, duration)
  return (
    <Player source={source} playing={playing} speeds={speeds} className="p-3">
      <Button size="small" onClick={() => playing.moveTo(Math.max(0, at - skipSeconds))}>
        −{skipSeconds} s
      </Button>
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={`${clockOf(playing.at)} of ${clockOf(duration)}`}
        min={0}
        max={duration}
        step={0.1}
        value={at}
        onChange={({ target }) => playing.moveTo(Number(target.value))}
        style={{ '--done': `${(100 * at) / (duration || 1)}%` } as CSSProperties}
        className="min-w-24 flex-1"
      />
      <p className="text-[0.8125rem] text-muted tabular-nums">
        {clockOf(playing.at)} / {clockOf(duration)}
      </p>
    </Player>
  )
}
