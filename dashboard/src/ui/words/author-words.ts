// The author of a change, in words.
import type { Author } from '@parley/contract'

export function authorWords(author: Author | null): string {
  if (!author) return 'an unknown author'
  if (author.type === 'operator') return 'the command line'
  if (author.name === null) return author.type === 'user' ? 'a removed user' : 'a removed key'
  return author.type === 'key' ? `the key “${author.name}”` : author.name
}
