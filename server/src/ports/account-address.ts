// Where an account is reached: a company's services may be at addresses of their own.

/** What a company is asked for, as far as it can have an address of its own. */
export const accountServices = [
  'synthesizer',
  'transcriber',
  'language_model',
  'realtime',
  'recordings',
] as const
export type AccountService = (typeof accountServices)[number]

export interface AccountPlan {
  readonly credentials: Readonly<Record<string, string>>
  /** An address that a user chose. */
  readonly baseUrl: string | undefined
  /** Addresses of single services, instead of it. */
  readonly baseUrls?: Readonly<Partial<Record<AccountService, string>>> | undefined
}

/** The account as one service uses it. */
export const accountFor = (
  { credentials, baseUrl, baseUrls }: AccountPlan,
  service: AccountService,
): Omit<AccountPlan, 'baseUrls'> => ({ credentials, baseUrl: baseUrls?.[service] ?? baseUrl })
