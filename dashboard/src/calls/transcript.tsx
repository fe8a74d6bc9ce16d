// What was said in a call that has ended, with tools in between. It follows the recording and seeks in it.
import type { TranscriptLine } from '@parley/contract'
import { memo, useMemo } from 'react'
import { Icon } from '../ui/controls/icons.tsx'
import type { Playback } from '../ui/sound/playback.ts'
import { type SpokenWord, SpokenWords } from '../ui/sound/spoken-words.tsx'
import { lengthWords } from './call-words.tsx'
import { Sources } from './sources.tsx'
import type { CallPlace } from './use-call.ts'
import type { Peaks } from './waveform.tsx'
import { type Loudness, wordTimesOf } from './word-times.ts'

interface TranscriptProps {
  lines: readonly TranscriptLine[]
  agentName: string
  /** The playback of the recording. Left out: there is no recording. */
  playing?: Playback | undefined
  /** Peaks of the recording, as soon as they are known. */
  peaks?: Peaks | undefined
  /** The call, to look up the passages behind its answers. Left out: the reader may not see them. */
  place?: CallPlace | undefined
}

export function Transcript({ lines, agentName, playing, peaks, place }: TranscriptProps) {
  const current = playing && playing.at > 0 ? lastBegun(lines, playing.at) : undefined
  const words = useMemo(() => lines.map((line) => wordTimesOf(line, loudnessOf(line, peaks))), [lines, peaks])
  return (
    <ol className="space-y-1">
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a transcript does not change after the end
        <li key={at}>
          {line.role === 'tool' ? (
            <ToolUse line={line} />
          ) : (
            <Said
              line={line}
              name={line.role === 'agent' ? agentName : 'Caller'}
              heardAt={line === current ? playing?.at : undefined}
              words={words[at] ?? []}
              onSeek={playing?.seek}
              place={place}
            />
          )}
        </li>
      ))}
    </ol>
  )
}

const lastBegun = (lines: readonly TranscriptLine[], at: number) =>
  lines.findLast(({ role, start_time }) => role !== 'tool' && start_time <= at)

const loudnessOf = ({ role }: TranscriptLine, peaks: Peaks | undefined): Loudness | undefined =>
  peaks && { seconds: peaks.seconds, peaks: role === 'user' ? peaks.left : peaks.right }

interface SaidProps {
  line: TranscriptLine
  name: string
  /** Where the recording is, if it is in this line. */
  heardAt: number | undefined
  words: readonly SpokenWord[]
  onSeek?: ((seconds: number) => void) | undefined
  place: CallPlace | undefined
}

/** Only the line that is being heard is drawn again with every frame. */
const Said = memo(function Said({ line, name, heardAt, words, onSeek, place }: SaidProps) {
  const { role, start_time, interrupted, sources } = line
  const time = lengthOfTime(start_time)
  return (
    <div
      aria-current={heardAt !== undefined || undefined}
      className="flex gap-3 rounded-lg px-3 py-2 transition-colors aria-current:bg-accent-soft"
    >
      {onSeek ? (
        <button
          type="button"
          onClick={() => onSeek(Math.max(0, start_time))}
          aria-label={`Play from ${time}`}
          className="h-fit w-12 shrink-0 rounded pt-px text-right font-mono text-xs text-muted hover:text-accent-ink"
        >
          {time}
        </button>
      ) : (
        <span className="w-12 shrink-0 pt-px text-right font-mono text-xs text-muted">{time}</span>
      )}
      <div className="min-w-0">
        <p className={`text-xs font-medium ${role === 'agent' ? 'text-accent-ink' : 'text-muted'}`}>{name}</p>
        <p className="wrap-anywhere">
          <Words line={line} heardAt={heardAt} words={words} onSeek={onSeek} />
          {interrupted && (
            <span className="ml-2 rounded bg-wait-soft px-1.5 py-0.5 text-xs whitespace-nowrap text-wait">
              interrupted
            </span>
          )}
        </p>
        {sources && <Sources sources={sources} place={place} />}
      </div>
    </div>
  )
})

function Words({ line, heardAt, words, onSeek }: Omit<SaidProps, 'name' | 'place'>) {
  if (!line.content) return <span className="text-muted">Nothing that could be understood</span>
  return onSeek ? <SpokenWords words={words} at={heardAt} onSeek={onSeek} /> : line.content
}

/** A button with the time of a line, such as 0:07, which plays from there. */
function lengthOfTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  return whole < 60 ? `0:${String(whole).padStart(2, '0')}` : lengthWords(whole)
}

function ToolUse({ line: { tool, content } }: { line: TranscriptLine }) {
  return (
    <details className="group mx-3 my-1 rounded-lg border border-line bg-rail text-[0.8125rem] sm:ml-18">
      <summary className="flex cursor-pointer items-center gap-2 rounded-lg px-3 py-2 marker:content-none">
        <Icon name="tool" className="size-3.5 text-muted" />
        <code className="font-mono text-xs font-medium">{tool?.name ?? 'tool'}</code>
        <span className="truncate text-muted group-open:invisible">{content}</span>
        <Icon name="next" className="ml-auto size-3.5 text-muted transition-transform group-open:rotate-90" />
      </summary>
      <div className="space-y-2 border-t border-line px-3 py-2">
        {tool && <Sample title="Arguments" text={pretty(tool.arguments)} />}
        <Sample title="Answer" text={pretty(content)} />
      </div>
    </details>
  )
}

function Sample({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <p className="text-xs font-medium text-muted">{title}</p>
      <pre className="mt-0.5 font-mono text-xs leading-relaxed wrap-anywhere whitespace-pre-wrap">{text}</pre>
    </div>
  )
}

/** The text indented if it is JSON, otherwise as it is. */
function pretty(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2) ?? ''
  try {
    return JSON.stringify(JSON.parse(value), null, 2)
  } catch {
    return value
  }
}
