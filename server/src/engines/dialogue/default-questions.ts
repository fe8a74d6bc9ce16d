// What to ask if a prompt names a task but no questions.

import { askFor } from './ask-for.ts'
import type { Question } from './brief.ts'
import { slotOf } from './slot.ts'

/** All patterns must match, in any order. */
const tasks: readonly [readonly RegExp[], readonly string[]][] = [
  [
    [/\b(?:table|restaurant)\b/i, /\b(?:book|reserv)/i],
    ['name', 'number of guests', 'preferred date and time', 'phone number'],
  ],
  [
    [/\b(?:book|schedul|arrang)/i, /\b(?:appointment|visit|meeting|demo)s?\b/i],
    ['name', 'preferred date and time', 'phone number'],
  ],
  [[/\btak\w* (?:a |down )?messages?\b/i], ['name', 'phone number', 'message']],
]

export const messageQuestions: readonly Question[] = questionsFor(
  ['name', 'phone number', 'message'],
  'message',
)

export function defaultQuestions(prompt: string): Question[] {
  const [, things = []] = tasks.find(([patterns]) => patterns.every((pattern) => pattern.test(prompt))) ?? []
  return questionsFor(things, 'default')
}

function questionsFor(things: readonly string[], family: string): Question[] {
  return things.map((thing, place) => {
    const { ask, label } = askFor(thing)
    return { id: `${family}${place + 1}`, ask, label, slot: slotOf(ask) }
  })
}
