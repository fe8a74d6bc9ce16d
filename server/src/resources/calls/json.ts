// JSON that PostgreSQL can take apart. What callers say comes from machines that listen, and may hold anything.

/** No database text holds NUL, and half a surrogate pair is no text. */
const writable = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\u{FFFD}').toWellFormed() : value

export const toJson = (value: unknown): string => JSON.stringify(value, writable)
