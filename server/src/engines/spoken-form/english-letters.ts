// Letters that are spelled out.

/** A lone capital is read as the name of the letter, except `A`, which would be taken for the article. */
export const letters = (run: string): string =>
  [...run.toUpperCase()].map((letter) => (letter === 'A' ? 'ay' : letter)).join(' ')
