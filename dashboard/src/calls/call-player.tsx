// The recording of a call: its waveform above the player, and the file to download.

import type { Playback } from '../ui/sound/playback.ts'
import { Player } from '../ui/sound/player.tsx'
import { lengthWords } from './call-words.tsx'
import type { Recording } from './recording.ts'
import { Waveform } from './waveform.tsx'

const speeds = [1, 1.25, 1.5, 2]

interface CallPlayerProps {
  recording: Recording
  /** The conversation's length, until the recording itself is known. */
  duration: number
  playing: Playback
}

export function CallPlayer({ recording: { source, peaks }, duration, playing }: CallPlayerProps) {
  const { at, moveTo, toggle } = playing
  const seconds = peaks?.seconds ?? duration
  return (
    <Player
      source={source}
      playing={playing}
      speeds={speeds}
      className="space-y-3 rounded-xl border border-line bg-surface p-4 shadow-card"
      above={<Waveform peaks={peaks} seconds={seconds} at={at} onSeek={moveTo} onToggle={toggle} />}
      after={
        <a
          href={source}
          download
          className="ml-auto rounded text-[0.8125rem] font-medium text-muted hover:text-ink"
        >
          Download WAV
        </a>
      }
    >
      <p className="min-w-28 px-1 text-[0.8125rem] text-muted tabular-nums">
        {lengthWords(at)} / {lengthWords(seconds)}
      </p>
    </Player>
  )
}
