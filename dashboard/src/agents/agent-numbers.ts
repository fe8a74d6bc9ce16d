// The whole numbers of an agent that the form shows, and the check that the update itself does not make.
import type { Fault } from '@parley/contract'
import { type Tree, valueAt } from '../ui/tree.ts'

interface AgentNumber {
  readonly path: string
  readonly label: string
  readonly unit: string
  readonly min: number
  readonly hint?: string
}

export const endpointing: AgentNumber = {
  path: 'transcriber.endpointing',
  label: 'Endpointing',
  unit: 'ms',
  min: 1,
  hint: 'How long a silence ends what the caller says.',
}

export const conversationNumbers: readonly AgentNumber[] = [
  {
    path: 'task_config.number_of_words_for_interruption',
    label: 'Words to interrupt',
    unit: 'words',
    min: 0,
    hint: '0 lets nobody interrupt the agent.',
  },
  {
    path: 'task_config.interruption_backoff_period',
    label: 'Pause after an interruption',
    unit: 'ms',
    min: 0,
  },
  {
    path: 'task_config.incremental_delay',
    label: 'Wait before answering',
    unit: 'ms',
    min: 0,
    hint: 'Room for the caller to go on.',
  },
  {
    path: 'task_config.trigger_user_online_message_after',
    label: 'Ask “are you there?” after',
    unit: 'seconds',
    min: 0,
  },
  {
    path: 'task_config.hangup_after_silence',
    label: 'Hang up after silence of',
    unit: 'seconds',
    min: 0,
  },
  { path: 'task_config.call_terminate', label: 'Longest call', unit: 'seconds', min: 0 },
]

export const faultsOfNumbers = (changes: Tree): Fault[] =>
  [endpointing, ...conversationNumbers].flatMap(({ path, min }) => {
    const value = valueAt(changes, path)
    const fine = value === undefined || (Number.isInteger(value) && Number(value) >= min)
    return fine ? [] : [{ path, message: `Enter a whole number of at least ${min}.` }]
  })
