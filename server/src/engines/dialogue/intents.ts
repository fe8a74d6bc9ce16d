// The intent of a caller who is not answering: to have it repeated, to know who is calling, to end the call …
import { plain } from './words.ts'

export type Intent =
  | 'pardon'
  | 'human'
  | 'robot'
  | 'who'
  | 'why'
  | 'wrong-number'
  | 'call-back'
  | 'stop'
  | 'goodbye'
  | 'nothing-else'
  | 'thanks'
  | 'how-are-you'
  | 'hello'
  | 'do-not-know'
  | 'yes'
  | 'no'

/** The first pattern that matches wins. */
const patterns: readonly [Intent, RegExp][] = [
  [
    'pardon',
    /^(?:pardon(?: me)?|sorry|what|what was that|huh|excuse me|come again|say what|once more|one more time)$|\bwhat did you (?:just )?say\b|\b(?:can't|cannot) hear you\b|\b(?:say (?:that|it) again|(?:can|could|would) you (?:please )?repeat|repeat (?:that|the question)|didn't (?:hear|catch|understand|get) (?:you|that|it)|did not (?:hear|catch|understand|get) (?:you|that|it))\b/,
  ],
  ['human', /\b(?:speak|talk) (?:to|with) (?!you)|\b(?:put|transfer|connect) me\b/],
  [
    'robot',
    /\b(?:robot|machine|chatbot|bot|computer|recording|artificial|an ai|real person|real human|human being)\b|\bare you (?:a )?(?:real|human)\b/,
  ],
  [
    'wrong-number',
    /\bwrong (?:number|person)\b|\bno(?: one|body) (?:here )?(?:by|with|of) that name\b|\bdon't know (?:any|that) (?:person|name)\b/,
  ],
  [
    'stop',
    /\b(?:stop|don't|do not|never) call(?:ing)?\b|\bnot interested\b|\b(?:remove|take) me (?:from|off)\b|\bleave me alone\b/,
  ],
  [
    'call-back',
    /\bcall (?:me |us )?(?:back|later|again|tomorrow)\b|\b(?:bad|not a good|not the best) (?:time|moment)\b|\bi'?m? ?(?:am )?(?:driving|busy|in a meeting|at work)\b|\bno time\b|\bdon't have time\b/,
  ],
  [
    'who',
    /^who$|\bwho(?:'s| is| are)? (?:this|you|calling|there|speaking)\b|\bwho am i (?:speaking|talking)\b|\bwhat(?:'s| is) your name\b|\bwh(?:at|ich) company\b|\bwhere are you calling from\b/,
  ],
  [
    'why',
    /\bwhy (?:are|do|did) you call(?:ing)?\b|\bwhat(?:'s| is) (?:this|it|the call) about\b|\bwhat (?:are you calling|do you want|is the reason)\b|\bhow can i help you\b/,
  ],
  [
    'nothing-else',
    /\bthat(?:'s| is|'ll be| will be| was) (?:all|it|everything)\b|\bnothing else\b|^(?:no )?i'?m (?:good|fine|all set)(?: thanks| thank you)?$|\ball set\b|\bno more questions\b/,
  ],
  [
    'goodbye',
    /\b(?:good ?bye|bye(?: bye)?|good-bye|see you|talk to you later|have a (?:nice|good|great) (?:day|one|evening|weekend)|take care)\b/,
  ],
  [
    'do-not-know',
    /\b(?:don't|do not) (?:know|remember|have (?:it|that|one|any))\b|\bno idea\b|\bi'?m not sure\b|\bi am not sure\b/,
  ],
  ['how-are-you', /\bhow are you\b|\bhow's it going\b|\bhow do you do\b/],
  [
    'no',
    /^(?:(?:oh|um|uh|well|actually|sorry|i'm afraid) )*(?:no|nope|nah|not really|not at all|not yet|not today|never|i don't|i do not|i can't|i cannot|i won't|i haven't|i didn't|i'm not|i am not|unfortunately|that's (?:not|wrong)|it's (?:not|wrong)|it isn't|wrong|incorrect)\b/,
  ],
  [
    'yes',
    /^(?:(?:oh|um|uh|well|actually) )*(?:yes|yeah|yep|yup|yah|sure|correct|right|that's (?:right|correct|fine|great|me)|that is (?:right|correct|fine)|exactly|of course|ok|okay|please(?= do|$)|absolutely|definitely|certainly|i would$|(?:i (?:do|am|can|will|have|did)|it (?:is|was|does))(?: \w+)?$|i'd love|all right|alright|fine|sounds (?:good|great)|that works|works for me|go ahead|uh-huh|mhm|mm-hmm|speaking|perfect|great|i think so|i guess so|you can|please do)\b/,
  ],
  ['thanks', /\b(?:thanks|thank you|thx|cheers)\b/],
  ['hello', /^(?:hello|hi|hey|good (?:morning|afternoon|evening)|yes hello)(?: there)?$/],
]

export function intentOf(said: string): Intent | undefined {
  const text = plain(said)
  return patterns.find(([, pattern]) => pattern.test(text))?.[0]
}

const [yes, no] = (['yes', 'no'] as const).map(
  (wanted) => patterns.find(([intent]) => intent === wanted)?.[1],
)
// In longer sentences a yes or no in the middle means something else.
const shortAnswerWords = 4

/** The yes or no in a sentence, whatever else it says. */
export function polarityIn(said: string): 'yes' | 'no' | undefined {
  const text = plain(said)
  if (no?.test(text)) return 'no'
  if (yes?.test(text)) return 'yes'
  if (text.split(' ').length > shortAnswerWords) return undefined
  return text.match(/\b(?:yes|no)\b/)?.[0] as 'yes' | 'no' | undefined
}

const asking =
  /^(?:(?:so|and|but|well|um|uh|okay|ok|yes|no|yeah|hi|hello|thanks|thank you|oh|great|sorry|also|actually) )*(?:what|what's|when|when's|where|where's|who|why|how|how's|which|whose|do you|does|did|is|are|can|could|will|would you|would it|have you|has|should|am i|do i|is there|are there)\b/
const wondering =
  /\b(?:want(?:ed)? to know|like to know|tell me|was wondering|question (?:is|about)|any idea|do you know)\b/

export function isQuestion(said: string): boolean {
  const text = plain(said)
  if (/^(?:yes|yeah|hello|hi|okay|ok|really|no)$/.test(text)) return false
  return /\?\s*$/.test(said) || asking.test(text) || wondering.test(text)
}
