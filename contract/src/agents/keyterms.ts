// The names and terms that an agent's transcriber is to expect, which it is given as one text.

export const keytermsIn = (keywords: string): readonly string[] =>
  keywords
    .split(',')
    .map((term) => term.trim())
    .filter(Boolean)
