// The lines of a transcript: every word plays from where it was said, and any line can be corrected.
import { useState } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { boxLooks } from '../ui/forms/field.tsx'
import type { Playback } from '../ui/sound/playback.ts'
import { SpokenWords } from '../ui/sound/spoken-words.tsx'
import type { Line } from './edited-transcript.ts'
import { clockOf } from './transcript.ts'

interface TranscriptLinesProps {
  lines: readonly Line[]
  /** The playback of the recording. Undefined: the recording does not exist any more. */
  playing: Playback | undefined
  /** Gets the text of a line while it is typed. Undefined: lines cannot be corrected. */
  onEdit: ((id: number, text: string) => void) | undefined
}

export function TranscriptLines({ lines, playing, onEdit }: TranscriptLinesProps) {
  const [editing, setEditing] = useState<number>()
  if (lines.length === 0) return <p className="mt-6 text-muted">Nobody speaks in this recording.</p>
  const at = playing && playing.at > 0 ? playing.at : undefined
  const current = at === undefined ? undefined : lines.findLast(({ start }) => start <= at)
  return (
    <ol aria-label="What is said" className="mt-4 space-y-0.5">
      {lines.map((line, place) => {
        const turns = line.speaker !== null && lines[place - 1]?.speakerId !== line.speakerId
        return (
          <li
            key={line.id}
            aria-current={line === current || undefined}
            className={`group grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-3 rounded-lg aria-current:bg-accent-soft ${turns ? 'mt-4' : ''}`}
          >
            <Time start={line.start} onSeek={playing && (() => playing.seek(line.start))} />
            <div className="flex items-start gap-2 pr-2">
              <div className="min-w-0 flex-1">
                {turns && <p className="text-[0.8125rem] font-medium text-accent-ink">{line.speaker}</p>}
                {onEdit && editing === line.id ? (
                  <LineEditor
                    line={line}
                    onEdit={(text) => onEdit(line.id, text)}
                    onLeave={() => setEditing(undefined)}
                  />
                ) : (
                  <Words line={line} at={line === current ? at : undefined} onSeek={playing?.seek} />
                )}
              </div>
              {onEdit && editing !== line.id && (
                <Button
                  size="small"
                  kind="quiet"
                  aria-label={`Correct the line at ${clockOf(line.start)}`}
                  onClick={() => setEditing(line.id)}
                  className="opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
                >
                  Correct
                </Button>
              )}
            </div>
          </li>
        )
      })}
    </ol>
  )
}

function Time({ start, onSeek }: { start: number; onSeek: (() => void) | undefined }) {
  const looks = 'h-fit pt-0.5 text-right text-[0.8125rem] text-muted tabular-nums'
  if (!onSeek) return <span className={looks}>{clockOf(start)}</span>
  return (
    <button
      type="button"
      onClick={onSeek}
      aria-label={`Play from ${clockOf(start)}`}
      className={`${looks} rounded hover:text-accent-ink`}
    >
      {clockOf(start)}
    </button>
  )
}

interface WordsProps {
  line: Line
  at: number | undefined
  onSeek: ((seconds: number) => void) | undefined
}

function Words({ line: { words, text, isEdited }, at, onSeek }: WordsProps) {
  return (
    <p className="max-w-3xl leading-relaxed text-pretty wrap-anywhere">
      {words.length > 0 && onSeek ? (
        <SpokenWords
          words={words.map(({ word, ...times }) => ({ word: `${word} `, ...times }))}
          at={at}
          onSeek={onSeek}
        />
      ) : (
        text
      )}
      {isEdited && <span className="ml-2 text-xs text-muted">corrected</span>}
    </p>
  )
}

// The longest line that the server accepts, in characters.
const longest = 10_000

interface LineEditorProps {
  line: Line
  onEdit(text: string): void
  onLeave(): void
}

function LineEditor({ line: { start, text, heard }, onEdit, onLeave }: LineEditorProps) {
  /** The text of the line when the user began to type. */
  const [before, setBefore] = useState<string>()
  const edit = (next: string) => {
    setBefore(before ?? text)
    onEdit(next)
  }
  const cancel = () => {
    if (before !== undefined) onEdit(before)
    onLeave()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (text !== text.trim()) onEdit(text.trim())
        onLeave()
      }}
      className="space-y-2 py-1"
    >
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the user has just asked for it
        autoFocus
        aria-label={`Words at ${clockOf(start)}`}
        rows={2}
        maxLength={longest}
        value={text}
        onChange={({ target }) => edit(target.value)}
        onKeyDown={({ key }) => key === 'Escape' && cancel()}
        className={`${boxLooks} py-2 leading-relaxed`}
      />
      <div className="flex gap-2">
        <Button type="submit" size="small" kind="primary">
          Done
        </Button>
        <Button size="small" onClick={cancel}>
          Cancel
        </Button>
        {text !== heard && (
          <Button size="small" kind="quiet" onClick={() => edit(heard)}>
            As it was heard
          </Button>
        )}
      </div>
    </form>
  )
}
