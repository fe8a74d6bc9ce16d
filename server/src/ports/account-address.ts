// Where an account is reached: a company's services may be at addresses of their own.
import type { AccountPlan } from './call-plan.ts'

/** What a company is asked for, as far as it can have an address of its own. */
export const accountServices = [
  'synthesizer',
  'transcriber',
  'language_model',
  'realtime',
  'recordings',
] as const
export type AccountService = (typeof accountServices)[number]

/** The account as one service uses it. */
export const accountFor = (
  { credentials, baseUrl, baseUrls }: AccountPlan,
  service: AccountService,
): Omit<AccountPlan, 'baseUrls'> => ({ credentials, baseUrl: baseUrls?.[service] ?? baseUrl })
