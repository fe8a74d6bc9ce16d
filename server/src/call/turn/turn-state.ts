// The types of the turn logic: its state, its events and its acts.
import type { AnsweredBy } from '../../ports/call.ts'
import type { TurnRules } from '../../ports/call-plan.ts'
import type { LineEnd, TransferRequest, TransferResult } from '../../ports/line.ts'
import type { EndOfTurn, TurnDetection } from '../../ports/transcriber.ts'
import type { Ending } from './endings.ts'
import type { TurnLanguageCode } from './languages/index.ts'

export type Life =
  /** `inReach` is false while the trunk has not answered our call at all, for longer than usual. */
  | { readonly is: 'dialling'; readonly sinceMs: number; readonly inReach: boolean }
  | { readonly is: 'talking'; readonly answeredMs: number }
  /** The farewell is being said; it is not waited for past `byMs`. */
  | { readonly is: 'leaving'; readonly ending: Ending; readonly generation: number; readonly byMs: number }
  | { readonly is: 'over' }

/** The caller's speech that has not been answered yet. */
export interface CallerSpeech {
  readonly voice:
    | { readonly is: 'quiet'; readonly sinceMs: number }
    /** `sure`: the line is known to echo, and this is louder than its echo. */
    | { readonly is: 'speaking'; readonly sinceMs: number; readonly sure: boolean }
  /** Where the first voice of this turn began; null: none was detected. */
  readonly startMs: number | null
  /** The last voice that was taken for a noise because it had no words: they may only be late. null: there was none. */
  readonly wordless: { readonly startMs: number; readonly endMs: number } | null
  readonly finals: string
  readonly partial: string
  /** When the words last changed. */
  readonly wordsMs: number
  /** A voice was detected, and no final since it began: more words may follow. */
  readonly wordsDue: boolean
  /** Whether the final of this pause was requested. */
  readonly finalAsked: boolean
  /** What the turn detection has made of these words. */
  readonly end: 'open' | 'likely' | 'certain'
  /** Some of the words were typed: they are meant, and they are complete. */
  readonly isTyped: boolean
  /** Keys that were pressed, and whether more may follow. */
  readonly keys: { readonly pressed: string; readonly atMs: number; readonly areComplete: boolean }
  /** The turn was taken on these words before their final arrived: that final only corrects the transcript. */
  readonly owed: {
    readonly before: string
    readonly words: string
    readonly after: string
    readonly untilMs: number
  } | null
}

/** What follows when the agent's words have been heard to the end. */
export type FollowUp =
  | { readonly do: 'listen' }
  | { readonly do: 'retry' }
  | { readonly do: 'apologize'; readonly error: string }
  | { readonly do: 'transfer'; readonly destination: number }
  | { readonly do: 'end'; readonly ending: Ending }

export interface SpeakingAgent {
  readonly is: 'speaking'
  readonly generation: number
  /** A notice is a sentence of our own that answers nobody's question. */
  readonly what: 'greeting' | 'reply' | 'are-you-there' | 'notice'
  readonly sinceMs: number
  /** The second attempt at a reply is the last. */
  readonly attempt: 1 | 2
  readonly sound:
    | { readonly is: 'coming' }
    | { readonly is: 'playing'; readonly sinceMs: number }
    | { readonly is: 'paused'; readonly sinceMs: number; readonly begun: boolean }
  /** The time since which no audio of the saying sounds; null: it sounds. */
  readonly quietSinceMs: number | null
  /** The reason for which the next words are late; null: there are words. */
  readonly waits: {
    readonly for: 'model' | 'tool'
    readonly sinceMs: number
    /** Fillers that were said meanwhile. */
    readonly fills: number
  } | null
  /** The time when the agent last resumed after a false alarm. */
  readonly falseAlarmMs: number | null
  readonly afterwards: FollowUp
}

export type Agent =
  | { readonly is: 'listening' }
  /** A reply is being made to words that may still continue; it is not played yet. */
  | {
      readonly is: 'preparing'
      readonly generation: number
      readonly words: string
      /** The attempt ahead has failed: the turn may still change, so the model is asked again when it ends. */
      readonly failed: boolean
    }
  | SpeakingAgent

export type LineCommand =
  | { readonly do: 'send-digits'; readonly digits: string }
  | { readonly do: 'hold'; readonly on: boolean }
  | { readonly do: 'transfer'; readonly request: TransferRequest }

/** The party that picked up, as far as it is known. */
export interface Answerer {
  readonly is: AnsweredBy
  /**
   * The event that must come before the agent speaks: the beep of a voicemail box, the rest of an announcement, the
   * end of a screening service's question, or the person whom it fetches.
   */
  readonly awaits: {
    readonly for: 'beep' | 'announcement' | 'prompt' | 'person'
    readonly sinceMs: number
  } | null
  /** The words of earlier turns. */
  readonly earlier: string
  /** Whether something that the agent said was heard to its end, in silence. */
  readonly hasHeardAgent: boolean
  /** The last speech without a pause. */
  readonly monologue: { readonly ms: number; readonly lastMs: number }
}

export interface Turn {
  readonly nowMs: number
  /** The language whose words and phrases are looked for. */
  readonly language: TurnLanguageCode
  readonly life: Life
  /** What keeps the agent and the caller from hearing each other. `bridged`: the caller talks to the transfer target. */
  readonly apart: {
    readonly heldByThem: boolean
    readonly heldByUs: boolean
    readonly transfer: 'none' | 'under-way' | 'bridged'
  }
  readonly answerer: Answerer
  /** Whether the caller may be recorded. `none`: nobody was asked yet, or nobody is to be asked. */
  readonly consent:
    | { readonly is: 'none' | 'given' | 'refused' }
    | { readonly is: 'asked'; readonly toTheEnd: boolean; readonly sinceMs: number }
  /** How the ends of the caller's turns are told; null: they are not, so silence and words decide. */
  readonly detection: TurnDetection | null
  readonly caller: CallerSpeech
  readonly agent: Agent
  /** The last number issued. Everything made or said has one; a discarded number is never reused. */
  readonly generation: number
  readonly turnsTaken: number
  /** The agent had no answer to the caller's last turn: it has said so, and a second failure ends the call. */
  readonly hasFailed: boolean
  /** The caller's last turn was a goodbye. */
  readonly hasParted: boolean
  /** How long both sides have been silent, not counting the agent's own speech. */
  readonly quiet: { readonly ms: number; readonly asked: boolean }
  /** The end of the silence that the agent keeps after an interruption. */
  readonly backoffUntilMs: number
  readonly lastBackchannelMs: number
  /** The last filler; empty: there was none. */
  readonly lastFiller: string
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
  /** The caller turned out to speak this language. */
  | { readonly type: 'language'; readonly language: string }
  | { readonly type: 'turn-detection'; readonly detection: TurnDetection | null }
  | EndOfTurn
  | { readonly type: 'digit'; readonly digit: string }
  /** Text that the caller has typed. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'out-of-reach' }
  | { readonly type: 'in-reach' }
  | { readonly type: 'held' }
  | { readonly type: 'resumed' }
  | { readonly type: 'line-command'; readonly id: number; readonly command: LineCommand }
  /** Whether we hold the line, after a command that changed it or failed to. */
  | { readonly type: 'own-hold'; readonly on: boolean }
  /** `words`: what the agent says when the transfer has failed. */
  | { readonly type: 'transfer-ended'; readonly result: TransferResult; readonly words?: string }
  | { readonly type: 'beep' }
  | { readonly type: 'information-tones' }
  | { readonly type: 'began'; readonly generation: number }
  | { readonly type: 'drained'; readonly generation: number }
  /** The next audio of a saying is not there yet (`quiet`), and is there again (`sounding`). */
  | { readonly type: 'quiet'; readonly generation: number }
  | { readonly type: 'sounding'; readonly generation: number }
  | { readonly type: 'reply-waits'; readonly generation: number; readonly for: 'model' | 'tool' }
  | { readonly type: 'reply-words'; readonly generation: number }
  /** `isFinal`: asking the model again now would not help. */
  | {
      readonly type: 'reply-failed'
      readonly generation: number
      readonly error: string
      readonly isFinal: boolean
    }
  | { readonly type: 'hang-up-wanted'; readonly generation: number }
  /** The model wants the caller to be connected to one of the agent's destinations. */
  | { readonly type: 'transfer-wanted'; readonly generation: number; readonly destination: number }
  | { readonly type: 'judged-over'; readonly generation: number }
  | { readonly type: 'recognition-failed'; readonly error: string }
  | { readonly type: 'voice-failed'; readonly error: string }

export type SayingKind = SpeakingAgent['what'] | 'backchannel' | 'farewell'

export type Act =
  /** `held`: synthesized, but played only once confirmed. */
  | {
      readonly do: 'say'
      readonly generation: number
      readonly what: SayingKind
      readonly text: string
      readonly held: boolean
    }
  /** `words` are the caller's, not in the transcript yet when the reply is made ahead. */
  | { readonly do: 'think'; readonly generation: number; readonly words: string; readonly ahead: boolean }
  /** Plays the generation from now on, and lets its tools run. */
  | { readonly do: 'confirm'; readonly generation: number }
  | { readonly do: 'fill'; readonly generation: number; readonly text: string }
  /** Stops the model, the tools and the playback of the generation. */
  | { readonly do: 'discard'; readonly generation: number }
  | { readonly do: 'pause' }
  | { readonly do: 'resume' }
  | { readonly do: 'ask-final' }
  | {
      readonly do: 'hear'
      /** The generation that answers. */
      readonly generation: number
      readonly words: string
      readonly startMs: number
      readonly endMs: number
      readonly wordsMs: number
    }
  /** What a machine said: kept in the transcript, and not answered. */
  | { readonly do: 'overhear'; readonly words: string; readonly startMs: number; readonly endMs: number }
  /** Corrects the caller's last words, now that they are final. */
  | { readonly do: 'correct'; readonly words: string }
  /** Excludes the current turn from the latency figures. */
  | { readonly do: 'forget-latency' }
  | { readonly do: 'judge'; readonly generation: number; readonly question: string }
  | { readonly do: 'note'; readonly note: string }
  | RecordAct
  | LineAct
  | { readonly do: 'end'; readonly ending: Ending }

/** `drop` discards the recording. */
export type RecordAct = { readonly do: 'record'; readonly what: 'begin' | 'drop' }

/** `id` identifies the command. `transfer-to`: to one of the agent's destinations, in the way that it asks for. */
export type LineAct =
  | (LineCommand & { readonly id: number })
  | { readonly do: 'refuse-command'; readonly id: number; readonly why: string }
  | { readonly do: 'transfer-to'; readonly destination: number }

/** Progress of something that the agent says; its generation may already be discarded. */
export type SpeechEvent = Extract<TurnEvent, { readonly generation: number }>

export interface TurnStep {
  readonly turn: Turn
  readonly acts: readonly Act[]
}

/** One concern of a conversation: looks at the state and decides, usually nothing. Asked after every event. */
export type Concern = (turn: Turn, rules: TurnRules) => TurnStep | undefined

/** A hold or a transfer is under way: silence does not count, and the agent does not speak. */
export const isApart = ({ apart: { heldByThem, heldByUs, transfer } }: Turn): boolean =>
  heldByThem || heldByUs || transfer !== 'none'

export const turnStep = (turn: Turn, ...acts: readonly Act[]): TurnStep => ({ turn, acts })

/** The step, with these acts before its own. */
export const after = (earlier: readonly Act[], { turn, acts }: TurnStep): TurnStep =>
  turnStep(turn, ...earlier, ...acts)

/** Stops what the agent was about to say. */
export const dropped = ({ agent }: Turn): readonly Act[] =>
  agent.is === 'listening' ? [] : [{ do: 'discard', generation: agent.generation }]

/** It is the agent's turn; no audio has been played yet. */
export const speaking = (
  what: SpeakingAgent['what'],
  generation: number,
  nowMs: number,
  attempt: 1 | 2 = 1,
): SpeakingAgent => ({
  is: 'speaking',
  generation,
  what,
  sinceMs: nowMs,
  attempt,
  sound: { is: 'coming' },
  quietSinceMs: nowMs,
  waits: { for: 'model', sinceMs: nowMs, fills: 0 },
  falseAlarmMs: null,
  afterwards: { do: 'listen' },
})

/** The agent says a sentence of ours in its turn. */
export function say(turn: Turn, what: SpeakingAgent['what'], text: string, held = false): TurnStep {
  const generation = turn.generation + 1
  const next = { ...turn, generation, agent: speaking(what, generation, turn.nowMs) }
  return turnStep(next, { do: 'say', generation, what, text, held })
}
