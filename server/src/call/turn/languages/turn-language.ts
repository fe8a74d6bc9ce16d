// What the turn logic knows of a language: words that interrupt, that only show attention, that a sentence does not end
// with, and what machines say in it. One file for each language; the index lists them.

export type MachineWords =
  | 'screening'
  | 'voicemail'
  | 'ivr'
  /** An announcement: the number is not in use. */
  | 'out-of-service'
  /** An announcement: nobody can be reached now. Often the beginning of a voicemail greeting. */
  | 'not-reachable'

/**
 * Words and phrases are in small letters and without punctuation, as `wordsOf` returns them. Phrases are separated by
 * commas, words by spaces. Patterns are matched against such text.
 */
export interface TurnLanguage {
  /** Phrases that always interrupt: "wait", "hold on". */
  readonly stops: string
  /** Phrases that only show that one is listening: "mhm", "I see". */
  readonly backchannels: string
  /** Phrases said on picking up, regardless of who calls. */
  readonly salutations: string
  /** Phrases that end a conversation: "goodbye", "talk to you later". */
  readonly goodbyes: string
  readonly unfinished: {
    /** Words that end a sentence only in a pause for thought, or never. */
    readonly dangling: string
    /** Ends with such a word, and is complete nevertheless: "Yes, I am." */
    readonly complete: RegExp | null
    /** Ends with another word, and is not complete: "ich heiße". */
    readonly open: RegExp | null
  }
  readonly dictation: DictatedNumbers
  /** To the question whether the call may be recorded. */
  readonly consent: {
    readonly agrees: RegExp
    readonly refuses: RegExp
    /** A no that is a yes: "I don't mind." */
    readonly agreesAnyway: RegExp | null
    /** At any time, of those who had agreed. */
    readonly stopsRecording: RegExp | null
  }
  /** To the question whether to take a call that is transferred. */
  readonly takesCall: { readonly accepts: RegExp; readonly declines: RegExp }
  readonly machines: Readonly<Record<MachineWords, readonly string[]>>
  /** In greetings of machines, and of businesses that pick up. */
  readonly recorded: RegExp | null
  /** Only people say it on picking up. */
  readonly toPerson: RegExp | null
  /** Asks for patience. */
  readonly waits: RegExp
}

/** How people dictate telephone numbers and the like. */
export interface DictatedNumbers {
  /** One figure each. Words that double a figure count as one. */
  readonly ones: string
  /** Ten to nineteen and the tens, where numbers are dictated in pairs; a figure after them belongs to the pair. */
  readonly pairs: string
  /** Stands between the words of a number: "treinta y cuatro". */
  readonly joins: string
  /** The figures of the shortest whole telephone number. */
  readonly wholeFigures: number
}
