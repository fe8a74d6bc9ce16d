// The port for speech that is kept: sentences of agents that a vendor has spoken before.

export interface SpeechLookup {
  readonly workspaceId: string
  /** As made by the adapter, in hexadecimal. */
  readonly keys: readonly string[]
}

/** What a call may ask of it. */
export interface CallSpeechCache {
  /** What there is, by key; never rejects. Each is a file as the adapter wrote it. */
  find(lookup: SpeechLookup): Promise<ReadonlyMap<string, Uint8Array>>
  /** Something of this agent's was not there: have it made. */
  warm(agentId: string): void
}
