// Files of tests share modules, so hooks are set anew for each of them.
import { afterEach } from 'vitest'

/** What was opened in the file that is being read is closed after each of its tests. */
export function cleanupsHere(): (() => unknown)[] {
  const cleanups: (() => unknown)[] = []
  afterEach(async () => {
    for (const clean of cleanups.splice(0).reverse()) await clean()
  })
  return cleanups
}
