// Answers the questions of a rubric that words alone can answer: whether the agent greeted, thanked, said goodbye,
// asked for something, said something. Everything else is left open.
import type { Judgement, RubricQuestion, SpokenLine } from '../../ports/analysis.ts'
import { plainSentences } from '../dialogue/words.ts'
import type { Likeness } from './likeness.ts'

interface Habit {
  readonly question: RegExp
  /** The lines in which it is said; all of them if undefined. */
  readonly where?: (lines: readonly string[]) => readonly string[]
  readonly words: RegExp
}

// Habits with the words that every language learner knows for them: if none of these words is there, it was not said.
const habits: readonly Habit[] = [
  {
    question: /\bgreet\w*\b|\bsay hello\b/i,
    where: (lines) => lines.slice(0, 1),
    words:
      /\b(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|welcome|greetings|thank(?:s| you) for calling|how (?:can|may) i help|nice to)\b/i,
  },
  {
    question: /\b(?:say|said|wish\w*)\b.*\b(?:good ?-?bye|farewell)\b|\bend\w* (?:the call )?politely\b/i,
    where: (lines) => lines.slice(-2),
    words:
      /\b(?:good ?-?bye|bye|farewell|have a (?:nice|good|great|lovely|wonderful) (?:day|one|evening|weekend|week|afternoon)|take care|see you|talk to you (?:soon|later))\b/i,
  },
  { question: /\bthank\w*\b/i, words: /\b(?:thanks?|thank you|appreciate)\b/i },
  { question: /\bapologi[sz]e\w*\b/i, words: /\b(?:sorry|apologi[sz]e|apologies|regret)\b/i },
  {
    question: /\bask\w*\b.*\bname\b/i,
    words: /\bname\b|\bwho(?:m)? (?:am i|is (?:this|calling|speaking))\b/i,
  },
  { question: /\bask\w*\b.*\be-?mail\b/i, words: /\be-?mail\b/i },
  {
    question: /\bask\w*\b.*\b(?:phone|telephone|number)\b/i,
    words: /\b(?:number|phone|telephone|mobile|reach you|call you)\b/i,
  },
  { question: /\brecord(?:ed|ing)\b/i, words: /\brecord(?:ed|ing|s)?\b/i },
]

// A sentence above this likeness says what the question asks for.
const saidSo = 0.7

const openQuestion: Judgement = {
  value: null,
  reason: 'This cannot be told from the words alone; it needs a language model.',
}

/** The text of a question that is compared with sentences. */
export const questionWords = ({ question }: RubricQuestion): string =>
  question.replace(/^(?:did|does|has|have|was|were|is) the agent\s+/i, '').replace(/\?$/, '')

export const agentSentences = (transcript: readonly SpokenLine[]): string[] =>
  transcript.flatMap(({ role, content }) => (role === 'agent' ? plainSentences(content) : []))

export function judge(
  question: RubricQuestion,
  transcript: readonly SpokenLine[],
  likeness: Likeness,
): Judgement {
  if (question.answer !== 'yes-no') return openQuestion
  const lines = transcript.flatMap(({ role, content }) => (role === 'agent' ? [content] : []))
  if (lines.length === 0) return { value: null, reason: 'The agent said nothing.' }
  const habit = habits.find((one) => one.question.test(question.question))
  if (habit && !/\b(?:never|not|without|avoid)\b/i.test(question.question)) return byHabit(habit, lines)
  return bySentence(question, transcript, likeness)
}

function byHabit({ where, words }: Habit, lines: readonly string[]): Judgement {
  const found = (where?.(lines) ?? lines).find((line) => words.test(line))
  return found === undefined
    ? { value: false, reason: 'None of the words that are used for it were said.' }
    : { value: true, reason: `It was said: “${found}”` }
}

/** "Did the agent say/mention/tell/ask …?" */
function bySentence(
  question: RubricQuestion,
  transcript: readonly SpokenLine[],
  likeness: Likeness,
): Judgement {
  if (
    !/\b(?:say|said|tell|told|mention\w*|offer\w*|ask\w*|confirm\w*|repeat\w*|state\w*)\b/i.test(
      question.question,
    )
  )
    return openQuestion
  const wanted = questionWords(question)
  const scored = agentSentences(transcript).map((text) => ({ text, score: likeness(wanted, text) }))
  const best = scored.toSorted((one, other) => other.score - one.score)[0]
  return best && best.score >= saidSo ? { value: true, reason: `It was said: “${best.text}”` } : openQuestion
}
