// The documentation as pages: every guide is listed on every page, and found by its words.
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { guidePages } from './guide-pages.ts'

const pages = guidePages()

it('a guide has its text, the list of all guides, and links that lead to pages', async () => {
  const page = await pages.read('guide/batches')
  expect(page).toContain('<h1')
  expect(page).toContain('<a href="/docs/guide/batches" aria-current="page">')
  for (const name of ['guide/knowledge', 'guide/telephones', 'errors'])
    expect(page).toContain(`href="/docs/${name}"`)
  expect(page).not.toMatch(/href="[^"]*\.md/)
})

it('the home page has every guide, recipe and reference with a sentence about it', async () => {
  const home = await pages.home()
  expect(home).toMatch(/<a href="\/docs\/guide\/batches">[^<]+<span>[^<]+\.<\/span>/)
  for (const name of [
    'guide/recipes/survey',
    'operations/backup',
    'reference',
    'reference/speech',
    'agent-fields',
  ])
    expect(home).toContain(`href="/docs/${name}"`)
  expect(home).toContain('action="/docs/search"')
})

it('docs/README.md lists the same pages', async () => {
  const index = await readFile(new URL('../../../../docs/README.md', import.meta.url), 'utf8')
  const listed = [...index.matchAll(/\]\(((?:guide|operations)\/[^)]+)\.md\)/g)].map(([, name]) => name)
  const home = await pages.home()
  const shown = [...home.matchAll(/<li><a href="\/docs\/((?:guide|operations)\/[^"]+)">/g)].map(
    ([, name]) => name,
  )
  expect(listed.length).toBeGreaterThan(30)
  expect(new Set(listed)).toEqual(new Set(shown))
})

it('a recipe is listed by what it makes, and its links lead up to the guides', async () => {
  const page = await pages.read('guide/recipes/reminders')
  expect(page).toContain(
    '<a href="/docs/guide/recipes/reminders" aria-current="page">Reminders from a CSV</a>',
  )
  expect(page).toContain('href="/docs/guide/batches"')
  expect(page).not.toMatch(/href="[^"]*\.md/)
})

it('a search finds the pages that have every word, and marks them', async () => {
  const found = await pages.search('sitemap passages')
  expect(found).toContain('href="/docs/guide/knowledge"')
  expect(found).toMatch(/<mark>(sitemap|passages)<\/mark>/i)
  expect(await pages.search('xyzzyplugh')).toContain('No page has all of these words.')
})

it('what somebody searches for is text, never a part of the page', async () => {
  const page = await pages.search('<script>alert(1)</script> "x')
  expect(page).not.toContain('<script>')
  expect(page).toContain('&lt;script&gt;')
})

it.each(['../README', 'guide/../../package', 'decisions/0001-node-24-without-a-build', 'guide/nothing'])(
  '%s is no page',
  async (name) => {
    await expect(pages.read(name)).rejects.toThrow()
  },
)
