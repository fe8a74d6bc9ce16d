// The objects of an agent's configuration that an update merges key by key. Everything else is replaced.
// Free of zod, so that a browser can have it without the schemas.

export interface MergeRules {
  readonly [key: string]: MergeRules | true
}

export const mergingObjects: MergeRules = {
  llm_agent: { llm_config: true },
  synthesizer: { provider_config: true },
  transcriber: true,
  task_config: true,
  input: true,
  output: true,
}
