// Spelled-out letters.

/** Every voice reads a lone letter as its name, except `A`, which it takes for the article. */
export const letters = (run: string): string =>
  [...run.toUpperCase()].map((letter) => (letter === 'A' ? 'ay' : letter)).join(' ')
