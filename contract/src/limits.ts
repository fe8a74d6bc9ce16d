// Sizes the interface promises. The specification's own numbers first, then what it leaves open.

export const page = { min: 1, default: 1 } as const
export const limit = { min: 1, max: 100, default: 20 } as const

export const idempotencyHours = 24

/** The longest idempotency key. A UUID has 36 characters; this leaves room for several ids and names in one. */
export const idempotencyKeyCharacters = 1024

/** A JSON body. An agent with a long prompt and many tools is about 100 KB; this is ten times as much. */
export const bodyBytes = 1024 * 1024

/** The longest text. The specification sets no limit for text, so that of the body applies. */
export const textCharacters = 1_048_576

/** The deepest nesting of a body: deeper than any real configuration, shallow enough for recursive code. */
export const jsonDepth = 64

/** Recipients of one batch. */
export const batchRecipients = 100_000

/** The body of a batch: about 600 bytes for each of 100,000 recipients. */
export const batchBodyBytes = 64 * 1024 * 1024

/** A document of the knowledge base: a book of a thousand pages with few pictures. */
export const documentBytes = 25 * 1024 * 1024

/** One recipient of a batch, in JSON or CSV. */
export const recipientBytes = 256 * 1024

/** Faulty rows of a list of recipients that are reported before reading stops. */
export const toldRows = 100

/** Faults reported for those rows together; ten per row are more than a recipient has fields. */
export const toldFaults = 1_000

/** Items in one array of a request. */
export const arrayItems = 10_000

/** Parts of an agent that are listed: a body has no room for more. */
export const mostParts = 1024 * 1024
