// Sizes the interface promises. The specification's own numbers first, then what it leaves open.

export const page = { min: 1, default: 1 } as const
export const limit = { min: 1, max: 100, default: 20 } as const

export const idempotencyHours = 24

/** A JSON body. An agent with a long prompt and many tools is about 100 KB; ten times that is room enough. */
export const bodyBytes = 1024 * 1024

/** Text has no limit of its own in the specification, so the body's is the honest one. */
export const textCharacters = 1_048_576

/** Deeper than any real configuration, shallow enough for every recursive reader behind the door. */
export const jsonDepth = 64

/** Recipients of one batch. */
export const batchRecipients = 100_000

/** The body of a batch: some 600 bytes for each of the most recipients. */
export const batchBodyBytes = 64 * 1024 * 1024

/** One recipient of a batch, in JSON or CSV. */
export const recipientBytes = 256 * 1024

/** Of a list of recipients, the faulty rows that are told before reading on is no use. */
export const toldRows = 100

/** In all of these; ten for each is more than a recipient has fields. */
export const toldFaults = 1_000

/** Items in one array of a request. */
export const arrayItems = 10_000
