// Letters that are spelled.

/** A lone letter is its name to every voice, but for `A`, which would be taken for the article. */
export const letters = (run: string): string =>
  [...run.toUpperCase()].map((letter) => (letter === 'A' ? 'ay' : letter)).join(' ')
