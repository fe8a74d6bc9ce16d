// No model that ends within sixty days is used, offered or named: a release outlives its day by months, and who follows a
// guide should not have to begin with a change of models.
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { modelEndSentence, modelEnds } from '@parley/contract/model-ends'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const noticeDays = 60

const folders = [
  'contract/src',
  'server/src',
  'server/bin',
  'sdk/src',
  'dashboard/src',
  'docs',
  'deploy',
  'scripts',
]
const kinds = ['.ts', '.tsx', '.md', '.mjs', '.sh', '.yaml', '.yml', '.json']
/** What is about ends of models names those that end. */
const aboutEnds = ['contract/src/model-ends.ts', 'docs/decisions/0085-ends-of-models.md']
/** Servers of one's own with OpenAI's interface are asked for the voice whose name they have always understood. */
const asksServersElsewhere = ['server/src/vendors/openai/speaks.ts']
/** Servers of one's own go by these names for good. */
const servedElsewhere = ['whisper-1']

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path)
    else if (kinds.includes(extname(path)) && !/\.test\.tsx?$/.test(path)) yield path
  }
}

const dayAfter = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

interface Ending {
  readonly company: string
  readonly model: string
}

const endingBy = (day: string): readonly Ending[] =>
  Object.entries(modelEnds).flatMap(([company, { ends }]) =>
    ends
      .filter(({ endsOn }) => endsOn <= day)
      .flatMap(({ models }) => models.map((model) => ({ company, model })))
      .filter(({ model }) => !servedElsewhere.includes(model)),
  )

const snapshot = '(?:-\\d{4}-?\\d{2}-?\\d{2})?'

/** As a name of its own, not as a part of a longer one; what could be an everyday word only in quotes. */
function isNamed(text: string, model: string): boolean {
  const name = model.replaceAll('.', '\\.') + snapshot
  const pattern = /[-_]/.test(model) ? `(?<![\\w.-])${name}(?![\\w-]|\\.\\d)` : `['"\`]${name}['"\`\\\\]`
  return new RegExp(pattern).test(text)
}

const namedIn = (text: string, endings: readonly Ending[]): readonly string[] =>
  endings
    .filter(({ model }) => isNamed(text, model))
    .map(({ company, model }) => modelEndSentence(company, model, dayAfter(0)) ?? model)

it.each([
  ["{ model: 'gpt-4o' }", true],
  ['"model": "gpt-4o-2024-08-06"', true],
  ['| OpenAI | `gpt-4o` |', true],
  ['\\"model\\": \\"gpt-4o\\"', true],
  ['PARLEY_LLM_MODEL="gpt-4o"', true],
  ["'gpt-4o-mini'", false],
  ["'my-gpt-4o'", false],
  ['we liked gpt-4o. For its voice', true],
  ['gpt-4o.1', false],
])('%s names gpt-4o: %s', (text, named) => expect(isNamed(text, 'gpt-4o')).toBe(named))

it.each([
  ['`arcana` and others', true],
  ['the arcana of telephony', false],
])('%s names arcana: %s', (text, named) => expect(isNamed(text, 'arcana')).toBe(named))

it(`no model is named that ends within ${noticeDays} days`, () => {
  const endings = endingBy(dayAfter(noticeDays))
  const files = ['README.md', ...folders.flatMap((folder) => [...filesBelow(folder)])]
  const found = files
    .filter((path) => ![...aboutEnds, ...asksServersElsewhere].includes(path))
    .flatMap((path) =>
      namedIn(readFileSync(join(root, path), 'utf8'), endings).map((sentence) => `${path}: ${sentence}`),
    )
  expect(found).toEqual([])
})
