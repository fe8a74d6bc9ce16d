// What the built-in policy understands of an agent's prompt, and nothing more than that.
import type { Slot } from './slot.ts'

/** Holds only after this answer to that question. */
export interface Condition {
  readonly question: string
  readonly is: 'yes' | 'no'
}

export interface Question {
  readonly id: string
  /** As it is said. */
  readonly ask: string
  /** What the answer is called when it is read back: "your phone number". */
  readonly label: string
  readonly slot: Slot
  readonly condition?: Condition | undefined
}

/** Something to be said without being asked. */
export interface Statement {
  readonly text: string
  readonly condition?: Condition | undefined
  /** Nothing is left to say after it. */
  readonly ends?: boolean
}

export interface Fact {
  /** What a caller's question is compared with. */
  readonly about: string
  /** What is said. */
  readonly text: string
}

export interface Brief {
  readonly isEnglish: boolean
  readonly name: string | undefined
  /** "the receptionist of Bright Dental" */
  readonly role: string | undefined
  readonly company: string | undefined
  /** "remind you of your appointment" */
  readonly purpose: string | undefined
  readonly facts: readonly Fact[]
  readonly statements: readonly Statement[]
  readonly questions: readonly Question[]
  readonly closing: string | undefined
}
