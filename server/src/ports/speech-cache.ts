// The port for speech that is kept: sentences of agents that a vendor has spoken before.

export interface SpeechLookup {
  readonly workspaceId: string
  /** The hash of everything that the sound depends on, in hexadecimal. */
  readonly keys: readonly string[]
}

/** What a call may ask of it. */
export interface CallSpeechCache {
  /** What there is, by key; never rejects. Each is a file as `speech/cache/` wrote it. */
  find(lookup: SpeechLookup): Promise<ReadonlyMap<string, Uint8Array>>
  /** Something of this agent's was not there: have it made. */
  warm(agentId: string): void
}
