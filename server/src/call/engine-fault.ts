// What went wrong with an engine, in one sentence: engines throw those, and now and then something else.
export const sentence = (error: unknown): string =>
  error instanceof Error && error.message ? error.message : `The engine failed: ${String(error)}`
