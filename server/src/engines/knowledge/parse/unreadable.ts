// The error of a document that cannot be read.

/** The message is one sentence for the user. */
export class UnreadableDocument extends Error {}
