// What is known about language models before any call: the operator's, and the vendors that an agent can name.
export interface ModelCatalogue {
  /** Undefined: agents that name no model are answered by the built-in dialogue policy. */
  readonly installed: { readonly provider: string; readonly models: readonly string[] } | undefined
  readonly vendors: readonly KnownVendor[]
}

export interface KnownVendor {
  readonly name: string
  readonly label: string
  /** Undefined: it has no address of its own. */
  readonly baseUrl: string | undefined
  /** Whether an agent can use it without a key of its own. */
  readonly isReady: boolean
  readonly promptCache: 'automatic' | 'marked' | 'none'
}
