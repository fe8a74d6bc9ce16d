// The words of a language that the turn logic knows: words that interrupt, words that only show attention, words that
// no sentence ends with, and what machines say. One file for each language; the index lists them.

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
    /** Sentences that end with such a word and are complete nevertheless: "Yes, I am." */
    readonly complete: RegExp | null
    /** Sentences that end with another word and are not complete: "ich heiße". */
    readonly open: RegExp | null
  }
  readonly dictation: DictatedNumbers
  /** Answers to the question whether the call may be recorded. */
  readonly consent: {
    readonly agrees: RegExp
    readonly refuses: RegExp
    /** Answers that contain a no and mean yes: "I don't mind." */
    readonly agreesAnyway: RegExp | null
    /** Words of callers who had agreed and withdraw at any time. */
    readonly stopsRecording: RegExp | null
  }
  /** Answers to the question whether to take a call that is transferred. */
  readonly takesCall: { readonly accepts: RegExp; readonly declines: RegExp }
  readonly machines: Readonly<Record<MachineWords, readonly string[]>>
  /** Words in greetings of machines, and of businesses that pick up. */
  readonly recorded: RegExp | null
  /** Words that only people say on picking up. */
  readonly toPerson: RegExp | null
  /** Words that ask for patience. */
  readonly waits: RegExp
}

/** How people dictate telephone numbers and the like. */
export interface DictatedNumbers {
  /** Words for one figure each. Words that double a figure count as one. */
  readonly ones: string
  /** Ten to nineteen and the tens, where numbers are dictated in pairs; a figure after such a word belongs to the pair. */
  readonly pairs: string
  /** Words between the words of a number: "treinta y cuatro". */
  readonly joins: string
  /** The figures of the shortest whole telephone number. */
  readonly wholeFigures: number
}
