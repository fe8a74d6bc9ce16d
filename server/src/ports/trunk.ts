// A telephone number of a workspace and the SIP trunk behind it, as carriers see it: every default is applied.

export type TrunkTransport = 'udp' | 'tcp' | 'tls'

export interface Trunk {
  /** The id of the telephone number. */
  readonly id: string
  readonly workspaceId: string
  /** In E.164 form. */
  readonly number: string
  /** The host of the trunk; null: there is no trunk, only telephones that log in. */
  readonly host: string | null
  /** The port; null: found by SRV, or the transport's usual one. */
  readonly port: number | null
  readonly transport: TrunkTransport
  /** The credentials; null: the trunk knows us by our address. */
  readonly credentials: { readonly username: string; readonly password: string } | null
  readonly register: boolean
  /** Addresses and CIDR blocks whose calls are taken besides those of the host itself. */
  readonly inboundAllow: readonly string[]
  /** The codecs by their names in SDP, by preference. */
  readonly codecs: readonly string[]
  /** Headers that are sent with every INVITE. */
  readonly headers: Readonly<Record<string, string>>
  readonly srtp: 'off' | 'optional' | 'required'
  /** Whether sound goes to where it comes from, whatever the far end announces. */
  readonly symmetricRtp: boolean
  /** The user part of From; null: the number. */
  readonly fromUser: string | null
  /** The header with our number, where From does not have it. */
  readonly identityHeader: 'P-Asserted-Identity' | 'P-Preferred-Identity'
  readonly numberFormat: 'e164' | 'digits' | 'national'
  /** The most calls that the trunk carries at once; null: no limit of its own. */
  readonly maxConcurrency: number | null
  /** The telephones and PBXs that log in at our own door. */
  readonly inboundUsers: readonly { readonly username: string; readonly password: string }[]
  /** The calls that are refused: none, those whose caller's number was found false, or all whose was not found true. */
  readonly callerVerification: 'off' | 'refuse_failed' | 'require'
  /** The status with which a call is answered when there is no room. */
  readonly fullStatus: number
  readonly unansweredStatus: number
}

export interface Trunks {
  all(): Promise<readonly Trunk[]>
  /** Reports that a trunk has changed, whichever process changed it. Returns how to stop listening. */
  onChange(listener: () => void): () => void
}

/** The leases of registrations: one process keeps that of a trunk. They are stored by its account's first number. */
export interface TrunkLeases {
  /** Takes the leases that no living process has; resolves with what is known of each registration that somebody keeps. */
  claim(numberIds: readonly string[]): Promise<readonly LeasedRegistration[]>
  /** Stores the state of a registration of ours, for all numbers of its account. Never throws. */
  report(numberIds: readonly string[], registration: Omit<LeasedRegistration, 'numberId' | 'isOurs'>): void
  /** Releases our leases, so that others can take them at once. Never throws. */
  release(numberIds: readonly string[]): Promise<void>
}

export interface LeasedRegistration {
  readonly numberId: string
  /** Whether this process keeps the registration. */
  readonly isOurs: boolean
  readonly state: 'registering' | 'registered' | 'failed'
  /** Why the registration has failed, in a sentence. */
  readonly reason: string | null
  /** Our address at the registrar; after a takeover, that of the process before. */
  readonly contact: string | null
  /** Proxies that the registrar wants calls to go through. */
  readonly routes: readonly string[]
}

/** The state of a trunk at this moment. */
export interface TrunkCheck {
  readonly ok: boolean
  /** Whether we are registered; null: the trunk needs no registration. */
  readonly registered: boolean | null
  /** How long the answer to OPTIONS took; null: there was none. */
  readonly optionsMs: number | null
  /** The findings in sentences, with the remedy if something is wrong. */
  readonly message: string
}

/** Asks the far end of a trunk, from the process that has the SIP line. */
export type CheckTrunk = (trunk: Trunk) => Promise<TrunkCheck>
