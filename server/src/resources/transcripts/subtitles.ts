// A transcript for people to read: plain text, SubRip and WebVTT.
import type { Segment, TranscriptFormat } from '@parley/contract'

interface Cue {
  readonly start: number
  readonly end: number
  readonly speaker: string | null
  readonly text: string
}

// The usual limit for subtitles: two lines of 42 characters.
const lineCharacters = 42
const cueCharacters = 2 * lineCharacters

export const mediaTypes: Record<Exclude<TranscriptFormat, 'json'>, string> = {
  text: 'text/plain',
  srt: 'application/x-subrip',
  vtt: 'text/vtt',
}

export function written(format: Exclude<TranscriptFormat, 'json'>, segments: readonly Segment[]): string {
  if (format === 'text') return plainText(segments)
  const cues = segments.flatMap(cuesOf)
  return format === 'srt' ? subRip(cues) : webVtt(cues)
}

/** One line per turn if speakers are identified; otherwise one text. */
function plainText(segments: readonly Segment[]): string {
  const turns: { speaker: string | null; texts: string[] }[] = []
  for (const { speaker, text } of segments) {
    const turn = turns.at(-1)
    if (turn && turn.speaker === speaker) turn.texts.push(text)
    else turns.push({ speaker, texts: [text] })
  }
  return turns.map(({ speaker, texts }) => `${named(speaker, texts.join(' '))}\n`).join('')
}

const named = (speaker: string | null, text: string) => (speaker === null ? text : `${speaker}: ${text}`)

const subRip = (cues: readonly Cue[]): string =>
  cues
    .map(
      ({ start, end, speaker, text }, at) =>
        `${at + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${inLines(named(speaker, text))}\n\n`,
    )
    .join('')

const webVtt = (cues: readonly Cue[]): string =>
  `WEBVTT\n\n${cues
    .map(({ start, end, speaker, text }) => {
      const voice = speaker === null ? '' : `<v ${speaker}>`
      return `${clock(start, '.')} --> ${clock(end, '.')}\n${voice}${escaped(inLines(text))}\n\n`
    })
    .join('')}`

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Split where a cue is full, at the word's time if it is known, otherwise in proportion to the text. */
function cuesOf({ start, end, speaker, text, words }: Segment): Cue[] {
  const said = text.split(/\s+/).filter(Boolean)
  const timed = words.length === said.length
  const letters = Math.max(1, said.join(' ').length)
  const cues: Cue[] = []
  let first = 0
  let before = 0
  let line = ''
  const close = (next: number) => {
    const share = (characters: number) => start + ((end - start) * Math.min(characters, letters)) / letters
    cues.push({
      speaker,
      text: line,
      start: timed ? (words[first]?.start ?? start) : share(before),
      end: timed ? (words[next - 1]?.end ?? end) : share(before + line.length + (next < said.length ? 1 : 0)),
    })
    before += line.length + 1
    first = next
    line = ''
  }
  for (const [at, word] of said.entries()) {
    if (line !== '' && line.length + 1 + word.length > cueCharacters) close(at)
    line = line === '' ? word : `${line} ${word}`
  }
  if (line !== '') close(said.length)
  return cues
}

function inLines(text: string): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= lineCharacters)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.join('\n')
}

/** 01:02:03,450 */
function clock(seconds: number, point: string): string {
  const ms = Math.round(seconds * 1000)
  const part = (unitMs: number, most: number, digits: number) =>
    String(Math.floor(ms / unitMs) % most).padStart(digits, '0')
  return `${part(3_600_000, 100, 2)}:${part(60_000, 60, 2)}:${part(1_000, 60, 2)}${point}${part(1, 1_000, 3)}`
}
