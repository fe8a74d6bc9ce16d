// An exported name of the server means one thing: it is declared in one file, or in files of the same name, which play
// the same role in different folders (`hears` in every company's hears.ts).
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const sources = fileURLToPath(new URL('../../src/', import.meta.url))
const declaration =
  /^export (?:declare |abstract |async )*(?:interface|type|class|const|let|function\*?|enum) (\w+)/gm

/** By exported name, the files that declare it. */
function declarationsIn(files: ReadonlyMap<string, string>): Map<string, string[]> {
  const declarations = new Map<string, string[]>()
  for (const [file, text] of files)
    for (const [, name = ''] of text.matchAll(declaration))
      declarations.set(name, [...(declarations.get(name) ?? []), file])
  return declarations
}

const ambiguousIn = (files: ReadonlyMap<string, string>): string[] =>
  [...declarationsIn(files)]
    .filter(([, places]) => new Set(places.map((place) => basename(place))).size > 1)
    .map(([name, places]) => `${name}: ${places.join(', ')}`)

it('every exported name of the server means one thing', () => {
  const paths = globSync('**/*.ts', { cwd: sources }).filter((path) => !/\.(test|d)\.ts$/.test(path))
  const files = new Map(paths.map((path) => [path, readFileSync(`${sources}${path}`, 'utf8')]))
  expect(files.size).toBeGreaterThan(500)
  expect(ambiguousIn(files)).toEqual([])
})

it('finds a name that is declared in two files of different names', () => {
  const files = new Map([
    ['call/turn.ts', 'export interface Turn {}\nexport const length = 1'],
    ['http/turn-page.ts', 'export type Turn = string'],
    ['a/hears.ts', 'export const hears = 1'],
    ['b/hears.ts', 'export const hears = 2'],
    ['b/local.ts', 'interface Turn {}'],
  ])
  expect(ambiguousIn(files)).toEqual(['Turn: call/turn.ts, http/turn-page.ts'])
})
