// How an agent behaves on the telephone: `api_tools.telephone`, written by hand or by forms, so read leniently; what
// cannot be used is reported, and its default applies.
import { measured } from '@parley/contract/measured'
import { z } from 'zod'
import { isKeys } from '../../../media/dtmf.ts'
import type { AnsweringRules, KeyRules } from '../../../ports/call-plan.ts'

export interface TelephoneBehaviour {
  readonly ringingMs: number
  readonly onVoicemail: AnsweringRules['onVoicemail']
  readonly voicemailMessage: Words | null
  readonly screeningAnswer: Words | null
  readonly keys: KeyRules
}

/** A text, or texts by language code. */
export type Words = string | Readonly<Record<string, string>>

// A phone is usually not left to ring for longer; carriers give up at about the same time.
const usualRingSeconds = 60
// The pause is longer than people take between two keys of a number that they read from a card.
const usualPauseSeconds = 2
const mostKeys = 64

const Words = measured(z.union([z.string().min(1), z.record(z.string(), z.string())]))

const fields = {
  ring_timeout_seconds: z.number().min(5).max(300),
  'voicemail.action': z.enum(['hang_up', 'leave_message', 'go_on']),
  'voicemail.message': Words,
  'screening.answer': Words,
  'digits.pause_seconds': z.number().min(0.5).max(30),
  'digits.end_key': measured(z.string().max(1)).refine(isKeys),
  'digits.count': z.int().min(1).max(mostKeys),
} as const

const mends: Readonly<Record<keyof typeof fields, string>> = {
  ring_timeout_seconds: 'must be a number of seconds from 5 to 300',
  'voicemail.action': 'must be hang_up, leave_message or go_on',
  'voicemail.message': 'must be a text, or texts by language code',
  'screening.answer': 'must be a text, or texts by language code',
  'digits.pause_seconds': 'must be a number of seconds from 0.5 to 30',
  'digits.end_key': 'must be one of 0-9, *, # and A-D, or empty',
  'digits.count': `must be a whole number from 1 to ${mostKeys}`,
}

const actions = { hang_up: 'hang-up', leave_message: 'leave-message', go_on: 'go-on' } as const

/** `problems`: a sentence for each setting that could not be used. */
export function readTelephone(apiTools: unknown) {
  const written = objectIn(objectIn(apiTools).telephone)
  const problems = unknownKeys(written)
  const read = <Name extends keyof typeof fields>(name: Name): z.infer<(typeof fields)[Name]> | undefined => {
    const value = name.split('.').reduce<unknown>((at, key) => objectIn(at)[key], written)
    if (value === undefined || value === null) return undefined
    const { data, success } = fields[name].safeParse(value)
    if (success) return data as z.infer<(typeof fields)[Name]>
    problems.push(`api_tools.telephone.${name} ${mends[name]}; its default is used`)
    return undefined
  }
  const message = read('voicemail.message') ?? null
  const action = actions[read('voicemail.action') ?? (message === null ? 'hang_up' : 'leave_message')]
  if (action === 'leave-message' && message === null)
    problems.push(
      'api_tools.telephone.voicemail.message is needed to leave a message; the agent hangs up instead',
    )
  return {
    telephone: {
      ringingMs: (read('ring_timeout_seconds') ?? usualRingSeconds) * 1_000,
      onVoicemail: action === 'leave-message' && message === null ? 'hang-up' : action,
      voicemailMessage: message,
      screeningAnswer: read('screening.answer') ?? null,
      keys: {
        pauseMs: (read('digits.pause_seconds') ?? usualPauseSeconds) * 1_000,
        endKey: read('digits.end_key') ?? '#',
        most: read('digits.count') ?? Number.POSITIVE_INFINITY,
      },
    },
    problems,
  }
}

function unknownKeys(written: Record<string, unknown>): string[] {
  const names = Object.keys(fields)
  const known = new Set(names.flatMap((name) => [name, name.split('.')[0] as string]))
  const paths = Object.entries(written).flatMap(([key, value]) =>
    isObject(value) && known.has(key) ? Object.keys(value).map((inner) => `${key}.${inner}`) : [key],
  )
  // Texts by language have keys of their own.
  return paths
    .filter((path) => !known.has(path))
    .map((path) => `api_tools.telephone.${path} does not exist and was left aside`)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function objectIn(value: unknown): Record<string, unknown> {
  if (isObject(value)) return value
  if (typeof value !== 'string') return {}
  try {
    const parsed: unknown = JSON.parse(value)
    return isObject(parsed) ? parsed : {}
  } catch {
    return {}
  }
}
