// The error table, the code that uses it and its page in the documentation agree.
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { errors } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import { errorsDoc } from '../../../scripts/write-errors-doc.ts'
import { readIfThere } from '../../test/support/read-if-there.ts'
import { settings } from '../platform/settings.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const textOf = (path: string) => readIfThere(root + path)?.toString() ?? ''
const codes = Object.keys(errors)

const sources = globSync('{server,sdk,dashboard,contract}/src/**/*.{ts,tsx}', { cwd: root }).filter(
  (path) => !/\.test\.tsx?$/.test(path) && path !== 'contract/src/errors.ts',
)
const documents = globSync(['README.md', 'SECURITY.md', 'docs/*.md', 'docs/guide/*.md'], { cwd: root })

/** Where a pattern finds a name that is in no list, as file: name. */
const unlisted = (paths: readonly string[], pattern: RegExp, listed: readonly string[]): string[] =>
  paths.flatMap((path) =>
    [...textOf(path).matchAll(pattern)]
      .map(([, name = '']) => name)
      .filter((name) => !listed.includes(name))
      .map((name) => `${path}: ${name}`),
  )

describe('the error table', () => {
  it('explains every code: a sentence, its cause and what to do', () => {
    const unexplained = Object.entries(errors).filter(([, [, ...texts]]) =>
      texts.some((text) => !/^[A-Z].*[.]$/.test(text)),
    )
    expect(unexplained).toEqual([])
  })

  it('lists every code that the service fails with', () => {
    const server = sources.filter((path) => path.startsWith('server/'))
    expect(unlisted(server, /(?:\bfail|new Failure)\(\s*'(\w+)'/g, codes)).toEqual([])
  })

  it('lists every code that the client library and the dashboard know', () => {
    const clients = sources.filter((path) => /^(sdk|dashboard)\//.test(path))
    // Made up by the client library when there is no error body at all.
    const ofTheClient = ['UNEXPECTED_ANSWER']
    expect(unlisted(clients, /'([A-Z]+(?:_[A-Z]+)+)'/g, [...codes, ...ofTheClient])).toEqual([])
  })

  it('lists every code that a document names', () => {
    // Names in the same letters that are not error codes.
    const others = [...Object.keys(settings), 'SPEAKER_00']
    expect(unlisted(documents, /`([A-Z]+(?:_[A-Z0-9]+)+)`/g, [...codes, ...others])).toEqual([])
  })

  it('has no code that nothing uses', () => {
    const text = sources.map(textOf).join('\n')
    expect(codes.filter((code) => !text.includes(`'${code}'`))).toEqual([])
  })
})

it('docs/errors.md is written from the table: run make docs', () => {
  expect(textOf('docs/errors.md')).toBe(errorsDoc())
})
