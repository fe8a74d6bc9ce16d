// The question whether an agent's transcriber takes all of its keywords, asked when it is saved.

/** One sentence about those that are left out; undefined: none is, or the transcriber is not a vendor's. */
export type JudgeKeyterms = (transcriber: string, keyterms: readonly string[]) => string | undefined
