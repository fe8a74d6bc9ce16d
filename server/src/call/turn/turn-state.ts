// The words of the turn logic: what it knows, what it is told, and what it wants done.

import type { TurnRules } from '../../ports/call-plan.ts'
import type { LineEnd, TransferRequest, TransferResult } from '../../ports/line.ts'
import type { Ending } from './endings.ts'

export type Life =
  | { readonly is: 'dialling'; readonly sinceMs: number }
  | { readonly is: 'talking'; readonly answeredMs: number }
  /** The last words are being said; they are not waited for past `byMs`. */
  | { readonly is: 'leaving'; readonly ending: Ending; readonly generation: number; readonly byMs: number }
  | { readonly is: 'over' }

/** What was heard of the caller and not answered yet. */
export interface Caller {
  readonly voice:
    | { readonly is: 'quiet'; readonly sinceMs: number }
    /** `sure`: the line is known to echo, and this is louder than its echo. */
    | { readonly is: 'speaking'; readonly sinceMs: number; readonly sure: boolean }
  /** Where the first voice of this turn began; null: none was heard. */
  readonly startMs: number | null
  readonly finals: string
  readonly partial: string
  /** When the words last changed. */
  readonly wordsMs: number
  /** A voice was heard, and no final since it began: more words may be on their way. */
  readonly wordsDue: boolean
  /** Whether the final of this pause was asked for. */
  readonly finalAsked: boolean
  /** A turn was taken on the last of these words before their final came: it is not update when it does. */
  readonly owed: { readonly before: string; readonly words: string; readonly untilMs: number } | null
}

/** What the agent says follows when it has been heard to the end. */
export type Afterwards =
  | { readonly do: 'listen' }
  | { readonly do: 'retry' }
  | { readonly do: 'apologize'; readonly error: string }
  | { readonly do: 'end'; readonly ending: Ending }

export interface Speaking {
  readonly is: 'speaking'
  readonly generation: number
  readonly what: 'greeting' | 'reply' | 'are-you-there'
  readonly sinceMs: number
  /** The second attempt of a reply is the last. */
  readonly attempt: 1 | 2
  readonly sound:
    | { readonly is: 'coming' }
    | { readonly is: 'playing'; readonly sinceMs: number }
    | { readonly is: 'paused'; readonly sinceMs: number; readonly begun: boolean }
  /** The model has begun to answer, or a filler was said: no filler is wanted any more. */
  readonly filled: boolean
  /** When it last went on after a pause for nothing. */
  readonly falseAlarmMs: number | null
  readonly afterwards: Afterwards
}

export type Agent =
  | { readonly is: 'listening' }
  /** A reply is made to words that may still go on; nobody hears it yet. */
  | {
      readonly is: 'preparing'
      readonly generation: number
      readonly words: string
      /** Too early to give up: when the turn comes, it is thought about again. */
      readonly failed: boolean
    }
  | Speaking

/** What a call asks of its line. */
export type LineCommand =
  | { readonly do: 'send-digits'; readonly digits: string }
  | { readonly do: 'hold'; readonly on: boolean }
  | { readonly do: 'transfer'; readonly request: TransferRequest }

export interface Turn {
  readonly nowMs: number
  readonly life: Life
  /** What keeps the agent and the caller from hearing each other. `bridged`: the caller talks with somebody else. */
  readonly apart: {
    readonly heldByThem: boolean
    readonly heldByUs: boolean
    readonly transfer: 'none' | 'under-way' | 'bridged'
  }
  readonly caller: Caller
  readonly agent: Agent
  /** The number that was given out last. Whatever is made or said has one; a discarded one never comes back. */
  readonly generation: number
  readonly turnsTaken: number
  /** How long nobody has said anything, the agent's own time not counted. */
  readonly quiet: { readonly ms: number; readonly asked: boolean }
  /** After an interruption the agent is silent until then. */
  readonly backoffUntilMs: number
  readonly lastNodMs: number
}

export type TurnEvent =
  | { readonly type: 'tick'; readonly nowMs: number }
  | { readonly type: 'dialled' }
  | { readonly type: 'answered' }
  | { readonly type: 'line-ended'; readonly cause: LineEnd; readonly error: string | null }
  | { readonly type: 'stop'; readonly why: 'api' | 'draining' }
  | { readonly type: 'voice-start'; readonly atMs: number; readonly sure: boolean }
  | { readonly type: 'voice-end'; readonly atMs: number }
  | { readonly type: 'partial'; readonly text: string }
  | { readonly type: 'final'; readonly text: string }
  | { readonly type: 'digit'; readonly digit: string }
  | { readonly type: 'held' }
  | { readonly type: 'resumed' }
  | { readonly type: 'line-command'; readonly id: number; readonly command: LineCommand }
  /** Whether we hold the line, after a command that changed it or failed to. */
  | { readonly type: 'own-hold'; readonly on: boolean }
  | { readonly type: 'transfer-ended'; readonly result: TransferResult }
  | { readonly type: 'beep' }
  | { readonly type: 'began'; readonly generation: number }
  | { readonly type: 'drained'; readonly generation: number }
  | { readonly type: 'reply-words'; readonly generation: number }
  | { readonly type: 'reply-failed'; readonly generation: number; readonly error: string }
  | { readonly type: 'hang-up-wanted'; readonly generation: number }
  | { readonly type: 'judged-over'; readonly generation: number }
  | { readonly type: 'ears-failed'; readonly error: string }
  | { readonly type: 'voice-failed'; readonly error: string }

export type SayingKind = Speaking['what'] | 'nod' | 'farewell'

export type Act =
  /** `held`: made ready, heard only once confirmed. */
  | {
      readonly do: 'say'
      readonly generation: number
      readonly what: SayingKind
      readonly text: string
      readonly held: boolean
    }
  /** `words` are the caller's, not in the transcript yet when the reply is made ahead. */
  | { readonly do: 'think'; readonly generation: number; readonly words: string; readonly ahead: boolean }
  /** From now on it is heard, and its tools may run. */
  | { readonly do: 'confirm'; readonly generation: number }
  | { readonly do: 'fill'; readonly generation: number; readonly text: string }
  /** Nothing of it is thought, run or heard any more. */
  | { readonly do: 'discard'; readonly generation: number }
  | { readonly do: 'pause' }
  | { readonly do: 'resume' }
  | { readonly do: 'ask-final' }
  | {
      readonly do: 'hear'
      /** The one that answers. */
      readonly generation: number
      readonly words: string
      readonly startMs: number
      readonly endMs: number
      readonly wordsMs: number
    }
  /** What was heard last, now that it is certain. */
  | { readonly do: 'correct'; readonly words: string }
  /** The turn under way is not measured. */
  | { readonly do: 'forget-latency' }
  | { readonly do: 'judge'; readonly generation: number; readonly question: string }
  | { readonly do: 'note'; readonly note: string }
  | LineAct
  | { readonly do: 'end'; readonly ending: Ending }

/** The id is the command's. */
export type LineAct =
  | (LineCommand & { readonly id: number })
  | { readonly do: 'refuse-command'; readonly id: number; readonly why: string }

/** What becomes of something that the agent says; it has a generation, which may be a discarded one. */
export type SpeechEvent = Extract<TurnEvent, { readonly generation: number }>

export interface Step {
  readonly turn: Turn
  readonly acts: readonly Act[]
}

/** One concern of a conversation: looks at the state as it is and decides, mostly nothing. Asked after every event. */
export type Concern = (turn: Turn, rules: TurnRules) => Step | undefined

/** A hold or a transfer is under way: nobody's silence counts, and the agent does not speak. */
export const isApart = ({ apart: { heldByThem, heldByUs, transfer } }: Turn): boolean =>
  heldByThem || heldByUs || transfer !== 'none'

export const step = (turn: Turn, ...acts: readonly Act[]): Step => ({ turn, acts })

/** The agent has the floor; nothing is heard of it yet. */
export const speaking = (
  what: Speaking['what'],
  generation: number,
  nowMs: number,
  attempt: 1 | 2 = 1,
): Speaking => ({
  is: 'speaking',
  generation,
  what,
  sinceMs: nowMs,
  attempt,
  sound: { is: 'coming' },
  filled: false,
  falseAlarmMs: null,
  afterwards: { do: 'listen' },
})
