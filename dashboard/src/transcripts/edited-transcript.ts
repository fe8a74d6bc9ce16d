// A transcript with its corrections: lines as they are shown, and files. Pure.
import type { Segment, Transcript } from '@parley/contract'
import type { Edits } from './edits.ts'

export interface Line {
  readonly id: number
  readonly start: number
  readonly end: number
  /** The name of the speaker. Null: speakers were not told apart. */
  readonly speaker: string | null
  readonly speakerId: string | null
  readonly text: string
  /** The text as the engine heard it. */
  readonly heard: string
  readonly isEdited: boolean
  /** The words with their times. Empty: they have none. */
  readonly words: readonly { readonly word: string; readonly start: number; readonly end: number }[]
}

/** The usual name of a speaker, counted from SPEAKER_00. */
export const usualName = (speaker: string): string => `Speaker ${Number(speaker.replace(/\D/g, '')) + 1}`

const nameOf = (speaker: string, { names }: Edits): string => names[speaker]?.trim() || usualName(speaker)

export const linesOf = ({ segments }: Pick<Transcript, 'segments'>, edits: Edits): Line[] =>
  segments.map((segment) => lineOf(segment, edits))

function lineOf({ id, start, end, speaker, text, words }: Segment, edits: Edits): Line {
  const edited = edits.texts[id]
  return {
    id,
    start,
    end,
    speakerId: speaker,
    speaker: speaker === null ? null : nameOf(speaker, edits),
    text: edited ?? text,
    heard: text,
    isEdited: edited !== undefined && edited !== text,
    words: edited === undefined ? words : timed(edited, words),
  }
}

/** The words of a corrected text. If there are as many as before, they keep their times; otherwise they have none. */
function timed(text: string, words: Segment['words']): Line['words'] {
  const typed = text.split(/\s+/).filter(Boolean)
  if (typed.length !== words.length) return []
  return words.map(({ start, end }, place) => ({ word: typed[place] ?? '', start, end }))
}

const stamp = (seconds: number, mark: ',' | '.'): string => {
  const ms = Math.round(seconds * 1_000)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const clock = [two(ms / 3_600_000), two((ms / 60_000) % 60), two((ms / 1_000) % 60)].join(':')
  return `${clock}${mark}${String(ms % 1_000).padStart(3, '0')}`
}

const spoken = ({ speaker, text }: Line): string => (speaker === null ? text : `${speaker}: ${text}`)

export const formats = {
  txt: (lines: readonly Line[]) => `${lines.map(spoken).join('\n')}\n`,
  srt: (lines: readonly Line[]) =>
    lines
      .map(
        (line, at) => `${at + 1}\n${stamp(line.start, ',')} --> ${stamp(line.end, ',')}\n${spoken(line)}\n`,
      )
      .join('\n'),
  vtt: (lines: readonly Line[]) =>
    `WEBVTT\n\n${lines
      .map(({ start, end, speaker, text }) => {
        const said = speaker === null ? text : `<v ${speaker.replace(/[<>&\n]/g, '')}>${text}`
        return `${stamp(start, '.')} --> ${stamp(end, '.')}\n${said}\n`
      })
      .join('\n')}`,
} as const
