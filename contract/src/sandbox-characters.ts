// The characters of the sandbox with whom an agent can be tried: people, and what else picks up a telephone. Free of zod, so
// that a browser can have it without the schemas.
export const sandboxCharacters = {
  talkative: { number: '+15550100', about: 'answers what is asked' },
  interrupting: { number: '+15550107', about: 'interrupts a lot' },
  noisy: { number: '+15550108', about: 'stands in a noisy street' },
  waiting: { number: '+15550109', about: 'says hello and waits' },
  silent: { number: '+15550106', about: 'says nothing' },
  leaving: { number: '+15550105', about: 'hangs up in the middle of a sentence' },
  voicemail: { number: '+15550104', about: 'a voicemail box' },
  screening: { number: '+15550110', about: 'a service asks for a name and a reason first' },
} as const

export type SandboxCharacter = keyof typeof sandboxCharacters

/** A script for `metadata.sandbox`: each line when the agent has spoken and is quiet; at the end it hangs up. */
export const scriptOfLines = (lines: readonly string[]) => ({
  steps: [...lines.map((say) => ({ say })), { wait_for: 'agent_done', hang_up: true, after_ms: 300 }],
})
