// docs/telephony.md has a row for each behaviour that trunks need, and every test that it names is there.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../../../', import.meta.url)
const folders = ['server/src/carriers/sip/', '']

interface Row {
  readonly number: number
  readonly tests: readonly { readonly file: string; readonly title: string }[]
}

/** | 7 | what | `a.test.ts` “one title” “another”, `b.test.ts` “a third” | */
function rowsOf(document: string): Row[] {
  return [...document.matchAll(/^\| (\d+) \|.*?\| ([^|]*) \|$/gm)].map(([, number, cell = '']) => ({
    number: Number(number),
    tests: [...cell.matchAll(/`([^`]+)`((?: “[^”]+”)*)/g)].flatMap(([, file = '', titles = '']) =>
      [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => ({ file, title })),
    ),
  }))
}

function textOf(file: string): string | null {
  for (const folder of folders)
    try {
      return readFileSync(new URL(folder + file, root), 'utf8')
    } catch {
      // It may be in the next one.
    }
  return null
}

/** null: a test of this title, or a case of one, is in the file and is not skipped. */
function faultOf(file: string, title: string): string | null {
  const text = textOf(file)
  if (text === null) return `${file} is not there`
  if (/\b(?:it|describe)\.(?:skip|todo|only)\b/.test(text)) return `${file} skips tests`
  return ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`))
    ? null
    : `${file} has no “${title}”`
}

const rows = rowsOf(readFileSync(new URL('docs/telephony.md', root), 'utf8'))

it('lists 53 behaviours in order', () =>
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 53 }, (_, place) => place + 1)))

it.each(rows.map((row) => [row.number, row.tests] as const))(
  'row %i names tests that are there',
  (_, tests) => {
    expect(tests.length).toBeGreaterThan(0)
    expect(tests.map(({ file, title }) => faultOf(file, title)).filter((fault) => fault !== null)).toEqual([])
  },
)

it('finds a title that is not there, and a file that is not there', () => {
  const [row] = rowsOf(
    '| 1 | what | `call/calls.test.ts` “no such title”, `gone.test.ts` “says what we can” |\n',
  )
  expect(row?.tests.map(({ file, title }) => faultOf(file, title))).toEqual([
    'call/calls.test.ts has no “no such title”',
    'gone.test.ts is not there',
  ])
})
