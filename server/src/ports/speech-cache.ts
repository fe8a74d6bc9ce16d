// The port for kept speech: sentences of agents that a vendor has spoken before.

export interface SpeechLookup {
  readonly workspaceId: string
  /** The keys of the sentences, in hexadecimal, as speech/cache makes them. */
  readonly keys: readonly string[]
}

export interface CallSpeechCache {
  /** Finds files by key, as speech/cache wrote them; never rejects. */
  find(lookup: SpeechLookup): Promise<ReadonlyMap<string, Uint8Array>>
  /** Asks for the sentences of an agent to be spoken, because one of them was not found. */
  warm(agentId: string): void
}
