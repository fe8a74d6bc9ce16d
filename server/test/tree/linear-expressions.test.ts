// No regular expression of the server takes a time that grows with the square of a text: all calls of a thread share it,
// and what a caller, a model, a tool or a far end sends is as long as they like.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { analyse } from 'scslre'
import ts from 'typescript'
import { expect, it } from 'vitest'

const sources = fileURLToPath(new URL('../../src/', import.meta.url))

/** The parts of an expression that can take too long; empty: none. */
const slowPartsOf = (source: string, flags: string): string[] =>
  analyse({ source, flags: flags.replace('d', '') }).reports.map(({ type }) => type)

interface WrittenExpression {
  readonly place: string
  readonly source: string
  readonly flags: string
}

function literalsIn(name: string, text: string): WrittenExpression[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest)
  const literals: WrittenExpression[] = []
  const visit = (node: ts.Node): void => {
    const [, source, flags = ''] = ts.isRegularExpressionLiteral(node)
      ? (/^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? [])
      : []
    if (source !== undefined) {
      const { line } = file.getLineAndCharacterOfPosition(node.end)
      literals.push({ place: `${name}:${line + 1}`, source, flags })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return literals
}

const slowIn = (expressions: readonly WrittenExpression[]): string[] =>
  expressions
    .filter(({ source, flags }) => slowPartsOf(source, flags).length > 0)
    .map(({ place, source, flags }) => `${place} /${source}/${flags}`)

const files = globSync('**/*.ts', { cwd: sources }).filter((path) => !/\.(test|d)\.ts$/.test(path))

it('every expression that is written down', () => {
  const literals = files.flatMap((path) => literalsIn(path, readFileSync(`${sources}${path}`, 'utf8')))
  expect(literals.length).toBeGreaterThan(1_000)
  expect(slowIn(literals)).toEqual([])
})

it('every expression that a module puts together when it is loaded', async () => {
  const made: WrittenExpression[] = []
  const own = globalThis.RegExp
  globalThis.RegExp = new Proxy(own, {
    construct(target, given) {
      const expression = Reflect.construct(target, given) as RegExp
      const place = new Error().stack?.split('\n').find((line) => line.includes('server/src/')) ?? ''
      if (place) made.push({ place: place.trim(), source: expression.source, flags: expression.flags })
      return expression
    },
  })
  const rooms =
    /^(?:call|mind|speech|platform\/personal-data|engines\/(?:dialogue|spoken-form|pronunciation|analysis))\//
  try {
    for (const path of files.filter((file) => rooms.test(file)))
      await import(pathToFileURL(`${sources}${path}`).href)
  } finally {
    globalThis.RegExp = own
  }
  expect(made.length).toBeGreaterThan(20)
  expect(slowIn(made)).toEqual([])
})

it('finds one that is slow', () => {
  const planted = literalsIn('planted.ts', 'text.replace(/\\s+$/, "")\ntext.replace(/(?<!\\s)\\s+$/, "")')
  expect(slowIn(planted)).toEqual(['planted.ts:1 /\\s+$/'])
})
