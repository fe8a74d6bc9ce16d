// A telephone number of a workspace and the SIP trunk behind it, as carriers see it: every default is applied.

export type TrunkTransport = 'udp' | 'tcp' | 'tls'

export interface Trunk {
  /** The id of the telephone number. */
  readonly id: string
  readonly workspaceId: string
  /** In E.164 form. */
  readonly number: string
  /** null: there is no trunk, only telephones that log in. */
  readonly host: string | null
  /** null: found by SRV, or the transport's usual port. */
  readonly port: number | null
  readonly transport: TrunkTransport
  /** null: the trunk knows us by our address. */
  readonly credentials: { readonly username: string; readonly password: string } | null
  readonly register: boolean
  /** Addresses and CIDR blocks whose calls are taken besides those of the host itself. */
  readonly inboundAllow: readonly string[]
  /** Names as in SDP, by preference. */
  readonly codecs: readonly string[]
  /** Sent with every INVITE. */
  readonly headers: Readonly<Record<string, string>>
  readonly srtp: 'off' | 'optional' | 'required'
  /** Sound goes to where it comes from, whatever the far end announces. */
  readonly symmetricRtp: boolean
  /** The user part of From; null: the number. */
  readonly fromUser: string | null
  /** Has the number where From has not. */
  readonly identityHeader: 'P-Asserted-Identity' | 'P-Preferred-Identity'
  /** How the numbers that are called are written. */
  readonly numberFormat: 'e164' | 'digits' | 'national'
  /** How many calls it carries at once; null: no limit of its own. */
  readonly maxConcurrency: number | null
  /** Telephones and PBXs that log in at our own door. */
  readonly inboundUsers: readonly { readonly username: string; readonly password: string }[]
  /** Calls that are refused: none, those whose caller's number was found false, or all whose was not found true. */
  readonly callerVerification: 'off' | 'refuse_failed' | 'require'
  /** What the trunk is answered when there is no room, and when a call was not taken. */
  readonly fullStatus: number
  readonly unansweredStatus: number
}

/** The trunks of every workspace. */
export interface Trunks {
  all(): Promise<readonly Trunk[]>
  /** Called after any of them has changed, whichever process changed it. Returns how to stop listening. */
  onChange(listener: () => void): () => void
}

/** Which process keeps the registration of a trunk: one of all that share a database. By the first number of its account. */
export interface TrunkLeases {
  /** Takes those of these that no living process has; resolves with what is known of each that somebody keeps. */
  claim(numberIds: readonly string[]): Promise<readonly LeasedRegistration[]>
  /** Stores how one of ours stands, for all numbers of its account. Never throws. */
  report(numberIds: readonly string[], registration: Omit<LeasedRegistration, 'numberId' | 'isOurs'>): void
  /** Lets others have ours at once. Never throws. */
  release(numberIds: readonly string[]): Promise<void>
}

export interface LeasedRegistration {
  readonly numberId: string
  /** This process keeps it. */
  readonly isOurs: boolean
  readonly state: 'registering' | 'registered' | 'failed'
  /** Why it has failed, in a sentence. */
  readonly reason: string | null
  /** Our address there; of one that was taken over, that of the process before. */
  readonly contact: string | null
  /** Proxies that the registrar wants calls to go through. */
  readonly routes: readonly string[]
}

/** What is known about a trunk at this moment. */
export interface TrunkCheck {
  readonly ok: boolean
  /** null: it needs no registration. */
  readonly registered: boolean | null
  /** How long OPTIONS took to be answered; null: it was not. */
  readonly optionsMs: number | null
  /** What was found, with the mend if something is wrong, in sentences. */
  readonly message: string
}

/** Asks the far end of a trunk, from the process that has the SIP line. */
export type CheckTrunk = (trunk: Trunk) => Promise<TrunkCheck>
