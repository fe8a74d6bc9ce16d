// What a callee without a script answers: a few patterns, for a caller who wants an appointment or a table.

export interface CalleeReply {
  readonly text: string
  /** Whether the callee hangs up after this. */
  readonly last: boolean
}

// Enough to show a conversation, short enough for a call that is never ended.
const repliesAtMost = 8

const wish = 'Hello, I would like to make an appointment.'
const wishOfGuest = 'Hello, I would like to book a table.'
const serves = /\b(restaurant|bistro|diner|cafe|table)\b/i

/** Answers by pattern. The first match counts, so specific patterns stand above general ones. */
const answers: readonly (readonly [heard: RegExp, text: string])[] = [
  [/\b(spell|spelling)\b/, 'M, I, L, L, E, R.'],
  [/\b(last|first|your|the) name\b|\bwho am i speaking\b/, 'My name is Anna Miller.'],
  [/\b(phone|telephone|number|reach you)\b/, 'It is five five five, zero one four two.'],
  [/\b(e ?mail)\b/, 'I do not use email, sorry.'],
  [/\b(how many|party of|people|guests)\b/, 'For four people, please.'],
  [/\b(what|which) time\b|\bo'?clock\b/, 'At seven in the evening.'],
  [/\b(date|day|when)\b|\b(like to come|suits? you)\b/, 'Tomorrow, please.'],
  [/\b(address|where)\b/, 'Twelve Garden Street.'],
  [/\b(any|some)thing else\b/, 'No, thank you, that is all.'],
  [/\bhow are you\b/, 'I am fine, thank you. And you?'],
  [/\b(help|do for you|assist)\b/, wish],
  [/\bare you (still )?(there|with me)\b/, 'Yes, I am here.'],
  [
    /^(is|are|do|does|did|can|could|would|will|shall|may|have|has)\b|\b(is that|right|correct|okay)$/,
    'Yes, please.',
  ],
  [/^(hello|hi|good (morning|afternoon|evening))\b/, 'Hello. Who is this, please?'],
]

const fillers = ['Okay.', 'I see. Please go on.', 'All right.'] as const
const farewell = /\b(good ?bye|bye|have a (nice|good|great|lovely))\b/

export function smallTalk(heard: string, replies: number): CalleeReply {
  if (farewell.test(sounds(heard))) return { text: 'Thank you. Goodbye.', last: true }
  if (replies + 1 >= repliesAtMost) return { text: 'Thank you, that is all. Goodbye.', last: true }
  if (!heard) return { text: 'Sorry, I did not hear you.', last: false }
  return { text: answerTo(heard) ?? fillers[replies % fillers.length] ?? fillers[0], last: false }
}

/** Answers the last sentence that asks something: greetings come first. */
function answerTo(heard: string): string | undefined {
  const sentences = heard
    .split(/[.?!]+/)
    .map(sounds)
    .filter(Boolean)
  for (const sentence of sentences.reverse()) {
    const fitting = answers.find(([pattern]) => pattern.test(sentence))
    if (fitting) return fitting[1] === wish && serves.test(heard) ? wishOfGuest : fitting[1]
  }
  return undefined
}

const sounds = (text: string) =>
  text
    .toLowerCase()
    .replaceAll('-', ' ')
    .replace(/[^a-z0-9' ]/g, '')
    .trim()
