// What the built-in policy extracts from an agent's prompt.
import type { Slot } from './slot.ts'

/** A condition that holds after this answer to that question. */
export interface Condition {
  readonly question: string
  readonly is: 'yes' | 'no'
}

export interface Question {
  readonly id: string
  /** The question as it is spoken. */
  readonly ask: string
  /** The name of the answer when it is read back: "your phone number". */
  readonly label: string
  readonly slot: Slot
  readonly condition?: Condition | undefined
}

/** A sentence to say unprompted. */
export interface BriefStatement {
  readonly text: string
  readonly condition?: Condition | undefined
  /** Whether the conversation ends after it. */
  readonly ends?: boolean
}

export interface Fact {
  /** The text that a caller's question is compared with. */
  readonly about: string
  /** The spoken answer. */
  readonly text: string
}

export interface Brief {
  readonly isEnglish: boolean
  readonly name: string | undefined
  /** The role, such as "the receptionist of Bright Dental". */
  readonly role: string | undefined
  readonly company: string | undefined
  /** The purpose of the call, such as "remind you of your appointment". */
  readonly purpose: string | undefined
  readonly facts: readonly Fact[]
  readonly statements: readonly BriefStatement[]
  readonly questions: readonly Question[]
  readonly closing: string | undefined
}
