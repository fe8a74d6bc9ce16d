// The knowledge base in the dashboard: a repository is made, filled by a file, an address and a text, asked and emptied.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EmbeddingServer, openEmbeddingServer } from '../props/servers/embedding-server.ts'
import { faultsOf } from '../support/accessibility.ts'
import { openBrowser, openContext } from '../support/browser.ts'
import { admin, openService, type TestService } from '../support/service.ts'

const screenshots = process.env.PARLEY_SCREENSHOTS

let embeddings: EmbeddingServer
let web: Server
let origin: string
let service: TestService
let browser: Browser
let context: BrowserContext
let complaints: string[]
let page: Page

beforeAll(async () => {
  embeddings = await openEmbeddingServer()
  web = createServer(({ url = '' }, response) => {
    if (url !== '/hours') return response.writeHead(404).end()
    return response
      .setHeader('content-type', 'text/html')
      .end('<title>Hours</title><p>The lantern room opens at dusk.</p>')
  })
  await new Promise<void>((ready) => web.listen(0, '127.0.0.1', ready))
  const host = `127.0.0.1:${(web.address() as AddressInfo).port}`
  origin = `http://${host}`
  service = await openService({
    PARLEY_EMBEDDINGS_BASE_URL: embeddings.baseUrl,
    PARLEY_EMBEDDINGS_MODEL: 'words',
    PARLEY_EMBEDDINGS_API_KEY: 'sk-words',
    PARLEY_TRUSTED_HOSTS: host,
  })
  browser = await openBrowser()
  ;({ context, complaints } = await openContext(browser))
  page = await context.newPage()
  await page.goto(`${service.url}/dashboard/knowledge`)
  await fill('E-mail', admin.email)
  await fill('Password', admin.password)
  await press('Sign in')
})
afterAll(async () => {
  await browser?.close()
  await service?.close()
  await embeddings?.close()
  web?.closeAllConnections()
  web?.close()
})

const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()
const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
const row = (name: string) => page.getByRole('row').filter({ hasText: name })
const isReady = (name: string) => row(name).getByText('Ready', { exact: true }).waitFor()
async function look(name: string) {
  if (screenshots) await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true })
  expect(await faultsOf(page)).toEqual([])
}

it('a repository is made, and filled by files, an address and a text', async () => {
  await page.getByText('No documents yet', { exact: true }).waitFor()
  await look('knowledge-empty')
  await press('New repository')
  await fill('Name', 'Lighthouse')
  await press('Create repository')
  await heading('Lighthouse')

  await page.getByLabel('Choose files', { exact: true }).setInputFiles([
    {
      name: 'oil.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Oil\n\nThe cellar holds whale oil.'),
    },
    { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 nothing more') },
  ])
  await isReady('Oil')
  await row('broken.pdf').getByText('Failed', { exact: true }).waitFor()
  await row('broken.pdf').getByText('add it again', { exact: false }).waitFor()

  await page.getByRole('tab', { name: 'Address or site' }).click()
  await fill('Address', `${origin}/hours`)
  await press('Add')
  await isReady('Hours')
  await page.getByRole('tab', { name: 'Text', exact: true }).click()
  await fill('Title', 'Keeper')
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('The keeper is called Mara.')
  await press('Add')
  await isReady('Keeper')
})

it('a search shows the passages with their scores', async () => {
  await fill('Question', 'What does the cellar hold?')
  await press('Search')
  const first = page.getByRole('list', { name: 'Passages' }).getByRole('listitem').first()
  await first.getByText('The cellar holds whale oil.').waitFor()
  expect(await first.textContent()).toMatch(/0\.\d\d/)
  await look('knowledge-repository')
})

it('a document is indexed again, and one is deleted', async () => {
  await page.getByRole('button', { name: 'Index again: Keeper' }).click()
  await isReady('Keeper')
  await page.getByRole('button', { name: 'Delete broken.pdf' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete document' }).click()
  await row('broken.pdf').waitFor({ state: 'detached' })
})

it('settings are changed, and a repository is deleted', async () => {
  await press('Settings')
  await fill('Passages for a question', '3')
  await look('knowledge-settings')
  await press('Save')
  await page.getByText('3 passages of about', { exact: false }).waitFor()
  await page.getByRole('link', { name: 'Knowledge', exact: true }).first().click()
  await page.getByRole('link', { name: 'Lighthouse' }).click()
  await heading('Lighthouse')
  await press('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete repository' }).click()
  await page.getByText('No documents yet', { exact: true }).waitFor()
  expect(complaints).toEqual([])
})
