// JSON that PostgreSQL accepts. Transcripts come from recognisers and may contain any character.

/** PostgreSQL text cannot contain NUL, and a lone surrogate is not valid Unicode. */
const writable = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\u{FFFD}').toWellFormed() : value

export const toJson = (value: unknown): string => JSON.stringify(value, writable)
