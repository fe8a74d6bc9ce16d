// The lines of a transcript: every word plays from where it was said, and any line can be corrected.
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { boxLooks } from '../ui/field.tsx'
import type { Playing } from '../ui/playing.ts'
import { SpokenWords } from '../ui/spoken-words.tsx'
import type { Line } from './edited-transcript.ts'
import { clockOf } from './transcript.ts'

interface TranscriptLinesProps {
  lines: readonly Line[]
  /** Undefined: there is no recording any more. */
  playing: Playing | undefined
  onEdit(id: number, text: string): void
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
                {editing === line.id ? (
                  <LineEditor
                    line={line}
                    onSave={(text) => {
                      onEdit(line.id, text)
                      setEditing(undefined)
                    }}
                    onLeave={() => setEditing(undefined)}
                  />
                ) : (
                  <Words line={line} at={line === current ? at : undefined} onSeek={playing?.seek} />
                )}
              </div>
              {editing !== line.id && (
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
          {...{ at, onSeek }}
        />
      ) : (
        text
      )}
      {isEdited && <span className="ml-2 text-xs text-muted">corrected</span>}
    </p>
  )
}

interface LineEditorProps {
  line: Line
  onSave(text: string): void
  onLeave(): void
}

function LineEditor({ line, onSave, onLeave }: LineEditorProps) {
  const [text, setText] = useState(line.text)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSave(text.trim())
      }}
      className="space-y-2 py-1"
    >
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the user has just asked for it
        autoFocus
        aria-label={`Words at ${clockOf(line.start)}`}
        rows={2}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={({ key }) => key === 'Escape' && onLeave()}
        className={`${boxLooks} py-2 leading-relaxed`}
      />
      <div className="flex gap-2">
        <Button type="submit" size="small" kind="primary">
          Keep
        </Button>
        <Button size="small" onClick={onLeave}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
