// Guesses from its neighbours whether a word is a noun or a verb: enough to tell "a record" from "to record".

/** The neighbours of a word, in lower case; an empty word is a pause or an end. */
export interface Context {
  /** The word so many steps before; 1 is the one next to it. */
  readonly before: (steps: number) => string
  readonly after: (steps: number) => string
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

export const forms = {
  be: set(
    "am is are was were be been being i'm it's we're you're they're he's she's that's isn't aren't wasn't weren't",
  ),
  have: set("have has had having i've we've you've they've haven't hasn't hadn't"),
  do: set("do does did don't doesn't didn't"),
  subject: set('i you we they he she who people'),
  adverb: set(
    'always never often also then usually just only really still now already please not ever kindly quickly',
  ),
} as const

const modals = set(
  `will would can could should may might must shall cannot can't won't couldn't wouldn't shouldn't let's i'll we'll
  you'll they'll he'll she'll it'll i'd we'd you'd they'd he'd she'd gonna wanna help helps helped let lets make makes made`,
)
// After these words, "to" is followed by a noun.
const nounBeforeTo = set(
  'due according access prior thanks addition regard response next close related attached back',
)
const beforeNoun = set(
  `a an the this that these those my your his her our their its no any some each every another which what whose
  of in on at by with from for per into about without under over through during after before between than as
  new old good bad great full final main small big large first second third last next other same only more most
  current previous monthly annual daily weekly free special personal separate phone call sales one two three four five six
  seven eight nine ten`,
)
const beginsObject = set(
  `a an the this that these those my your his her our their its it them him us me all any some each every one two
  three four five ten code`,
)
const conjunctions = set('and or but then if when')

export type PartOfSpeech = 'noun' | 'verb'

export const isModal = (word: string): boolean => modals.has(word) || forms.do.has(word)

/** The part of speech; undefined where the neighbours do not tell. */
export function partOfSpeech(context: Context): PartOfSpeech | undefined {
  const { before, after } = context
  const isAdverb = forms.adverb.has(before(1))
  const previous = isAdverb ? before(2) : before(1)
  if (previous === 'to') return nounBeforeTo.has(before(isAdverb ? 3 : 2)) ? 'noun' : 'verb'
  if (isModal(previous) || before(1) === 'please' || before(1) === 'kindly') return 'verb'
  // "did you record", "can we record"
  if (forms.subject.has(previous)) return 'verb'
  if (previous.endsWith("'s") && previous !== "let's" && !forms.be.has(previous)) return 'noun'
  if (beforeNoun.has(previous)) return 'noun'
  if (after(1) === 'of') return 'noun'
  // The imperative: "Record the call", "and record it".
  if ((previous === '' || conjunctions.has(previous)) && beginsObject.has(after(1))) return 'verb'
  // "Our customers use the app."
  if (/[^s']s$/.test(previous) && (beginsObject.has(after(1)) || after(1) === 'by')) return 'verb'
  return undefined
}
