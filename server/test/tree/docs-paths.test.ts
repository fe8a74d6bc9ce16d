// Every file and folder that the documents for contributors name is there.
//
// A name is a link's target, or code in backticks with a slash or the extension of a source file in it. It is looked up
// beside its document, at the root, in server/src, in the folders that the header of its table names, and in the folders
// of the names before it in the same table row, list item or paragraph. `*`, `{a,b}` and `<placeholder>` are patterns
// that at least one file must match.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

// Installed, built or written at run time: not in a fresh clone.
const notSources = ['node_modules', 'dist', 'data', '.git', '.toolchain']

interface Tree {
  has(path: string): boolean
  /** Files and folders that a pattern matches. */
  matches(pattern: string): boolean
}

function treeOf(paths: readonly string[]): Tree {
  const all = new Set(paths)
  for (const path of paths)
    for (let up = dirname(path); up !== '.' && !all.has(up); up = dirname(up)) all.add(up)
  return {
    has: (path) => all.has(path),
    matches(pattern) {
      const shape = new RegExp(`^${pattern.split('*').map(escaped).join('[^/]+')}$`)
      return [...all].some((path) => shape.test(path))
    },
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (notSources.includes(entry.name)) return []
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

/** The table rows, list items and paragraphs of a document, without its code blocks. */
function* passagesOf(text: string): Generator<{ passage: string; header: string }> {
  let passage = ''
  let header = ''
  let above = ''
  for (const line of [...text.replace(/^```[\s\S]*?^```/gm, '').split('\n'), '']) {
    const isRow = line.startsWith('|')
    if (isRow && !above.startsWith('|')) header = line
    if (!isRow) header = ''
    if (isRow || line.trim() === '' || /^\s*(-|\d+\.|#+) /.test(line)) {
      if (passage) yield { passage, header: '' }
      passage = ''
    }
    if (isRow) yield { passage: line, header: line === header ? '' : header }
    else passage += `${line}\n`
    above = line
  }
}

interface Name {
  readonly path: string
  readonly isLink: boolean
}

function namesIn(passage: string): Name[] {
  return [...passage.matchAll(/`([^`\n]+)`|\]\(([^)\s]+)\)/g)].flatMap(([, code, link]): Name[] => {
    if (link !== undefined) {
      const path = link.split('#', 1)[0] as string
      return path === '' || /^[a-z]+:/.test(path) ? [] : [{ path, isLink: true }]
    }
    return code !== undefined && isPath(code) ? [{ path: code, isLink: false }] : []
  })
}

const isPath = (code: string): boolean =>
  /^[\w.*{},<>/-]+$/.test(code) &&
  (code.includes('/') || /[\w>*}][.](ts|tsx|sql|md|json|ya?ml|[cm]?js|html|css)$/.test(code)) &&
  // An address, or made at run time.
  !code.startsWith('/') &&
  !code.split('/').some((part) => notSources.includes(part))

/** a/{b,c}.ts → a/b.ts, a/c.ts; <name> → * */
function patternsOf(path: string): string[] {
  const plain = path.replace(/<[^>]+>/g, '*')
  const braces = /\{([^{}]*)\}/.exec(plain)
  if (!braces) return [plain]
  const [whole, choices = ''] = braces
  return choices.split(',').flatMap((choice) => patternsOf(plain.replace(whole, choice)))
}

const trimmed = (path: string): string => normalize(path).replace(/\/$/, '')

/** The names in a document that nothing in the tree answers to. */
function missingIn(document: string, text: string, tree: Tree): string[] {
  const beside = dirname(document)
  const foundIn = (folders: readonly string[], pattern: string): string | undefined =>
    folders
      .map((folder) => trimmed(join(folder, pattern)))
      .find((path) => path === '.' || (path.includes('*') ? tree.matches(path) : tree.has(path)))
  const missing: string[] = []
  const look = (names: readonly Name[], context: readonly string[], report: boolean): string[] => {
    const seen: string[] = []
    for (const { path, isLink } of names) {
      const folders = isLink ? [beside] : [...seen, ...context, beside, '.', 'server/src']
      for (const pattern of patternsOf(path)) {
        const found = foundIn(folders, pattern)
        if (found === undefined && report) missing.push(path)
        // A file's neighbours, or what is in a folder, may follow by their bare names.
        if (found !== undefined && !isLink) seen.unshift(/[.]\w+$/.test(found) ? dirname(found) : found)
      }
    }
    return seen
  }
  for (const { passage, header } of passagesOf(text))
    look(namesIn(passage), look(namesIn(header), [], false), true)
  return missing
}

const files = filesBelow('.')
const tree = treeOf(files)
const documents = files.filter((path) =>
  /^(README|CONTRIBUTING|SECURITY|CHANGELOG|docs\/.+|server\/src\/(.+\/)?README)[.]md$/.test(path),
)
// These also speak of files that a user has, and the changelog of files that a release had: only their links are checked.
const aboutOtherFiles = /^(CHANGELOG|docs\/(configuration|guide\/.+))[.]md$/

it.each(documents)('%s names only what is there', (document) => {
  const text = readFileSync(join(root, document), 'utf8')
  const checked = aboutOtherFiles.test(document) ? text.replace(/`[^`\n]+`/g, '') : text
  expect(missingIn(document, checked, tree)).toEqual([])
})

it('reads the documents that it is meant to read', () => {
  expect(documents).toEqual(
    expect.arrayContaining([
      'CONTRIBUTING.md',
      'README.md',
      'docs/architecture.md',
      'docs/glossary.md',
      'server/src/README.md',
      'server/src/call/README.md',
    ]),
  )
})

const small = treeOf([
  'docs/a.md',
  'server/src/house/roof.ts',
  'server/src/house/door.ts',
  'server/sql/0001-first.sql',
])

it.each([
  ['a file that is gone', 'See `house/gone.ts`.', ['house/gone.ts']],
  ['a folder that is gone', 'See `server/gone/`.', ['server/gone/']],
  ['a link that leads nowhere', 'See [there](b.md).', ['b.md']],
  ['a link from the wrong folder', 'See [there](docs/a.md).', ['docs/a.md']],
  ['a bare name without a folder before it', '`door.ts`', ['door.ts']],
  ['a bare name in the next row', '| file |\n|---|\n| `house/roof.ts` |\n| `door.ts` |', ['door.ts']],
  ['a pattern that nothing matches', '`server/sql/functions/*.sql`', ['server/sql/functions/*.sql']],
  ['one of several alternatives', '`house/{roof,gone}.ts`', ['house/{roof,gone}.ts']],
])('finds %s', (_what, text, missing) => {
  expect(missingIn('docs/a.md', text, small)).toEqual(missing)
})

it.each([
  ['a bare name after its folder', '| `house/roof.ts` → `door.ts` |'],
  ['a name below the folder of a table', '| `server/src` |\n|---|\n| `house/roof.ts` |\n| `house/` |'],
  ['a name over two lines of a paragraph', 'From `house/roof.ts`\nto `door.ts`.'],
  ['a pattern', '`server/sql/*.sql`, `house/{roof,door}.ts`'],
  ['a placeholder', '`server/sql/<number>-<what>.sql`'],
  ['a link with an anchor', '[here](a.md#there), [there](#here), [the web](https://example.com/x.ts)'],
  ['addresses, packages and generated files', '`/v1/files`, `@parley/sdk`, `dist/x.js`, `make test`'],
  ['code blocks', '```\nhouse/gone.ts `gone.ts`\n```'],
])('takes %s', (_what, text) => {
  expect(missingIn('docs/a.md', text, small)).toEqual([])
})
