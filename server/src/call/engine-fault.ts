// The fault of an engine as one sentence: engines throw sentences, but occasionally something else.
export const faultSentence = (error: unknown): string =>
  error instanceof Error && error.message ? error.message : `The engine failed: ${String(error)}`
