// What the built-in policy extracts from an agent's prompt.
import type { Slot } from './slot.ts'

/** Applies only after this answer to that question. */
export interface Condition {
  readonly question: string
  readonly is: 'yes' | 'no'
}

export interface Question {
  readonly id: string
  /** As spoken. */
  readonly ask: string
  /** What the answer is called when it is read back: "your phone number". */
  readonly label: string
  readonly slot: Slot
  readonly condition?: Condition | undefined
}

/** Something to say unprompted. */
export interface BriefStatement {
  readonly text: string
  readonly condition?: Condition | undefined
  /** The conversation ends after it. */
  readonly ends?: boolean
}

export interface Fact {
  /** What a caller's question is compared with. */
  readonly about: string
  /** The spoken answer. */
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
  readonly statements: readonly BriefStatement[]
  readonly questions: readonly Question[]
  readonly closing: string | undefined
}
