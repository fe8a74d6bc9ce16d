// A page of the dashboard for every test of a file, in one browser, and what tests do on it. Every page is expected
// to ask this service only, to log no error and not to violate its content security policy.
//
// A test finds nobody signed in and nothing remembered. The scripts of the dashboard stay compiled from test to test.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { openBrowser, openContext } from './browser.ts'
import { photograph } from './photograph.ts'
import { admin, workspaceId } from './service.ts'

interface DashboardPages {
  /** The address of the service. */
  at(): string
  /** Called with the page of each test. */
  opened(page: Page): void
  /** Other services that pages may ask. */
  besides?(): readonly string[]
  browser?(): Promise<Browser>
  /** The workspace that is chosen at first. Null: none. */
  workspace?: string | null
}

/** The page for the tests of a file. Call it after the hooks of the file: its own then run first after a test, while everything is still there. */
export function dashboardPages({
  at,
  opened,
  besides = () => [],
  browser: open = openBrowser,
  workspace = workspaceId,
}: DashboardPages) {
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let asked: string[]
  let complaints: string[]

  const openPage = async () => {
    page = await context.newPage()
    opened(page)
  }

  /** Removes what the page of the test before has stored. */
  const forget = async () => {
    await context.clearCookies()
    const debugging = await context.newCDPSession(page)
    for (const origin of [at(), ...besides()])
      await debugging.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  }

  beforeAll(async () => {
    browser = await open()
    ;({ context, asked, complaints } = await openContext(browser))
    // An empty page, which every tab begins with, has no storage.
    const choice = `localStorage.setItem('parley.workspace', '${workspace}')`
    if (workspace) await context.addInitScript(`if (location.protocol !== 'about:') ${choice}`)
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    await openPage()
    await forget()
  })
  afterEach(async () => {
    for (const each of context.pages()) await each.close()
    // The page makes data: and blob: itself, so that nothing leaves the machine.
    const ours = [at(), ...besides()].flatMap((url) => [`${url}/`, `blob:${url}/`, 'data:'])
    expect(asked.splice(0).filter((url) => !ours.some((start) => url.startsWith(start)))).toEqual([])
    expect(complaints.splice(0)).toEqual([])
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true }).filter({ visible: true })
  const press = (name: string) => button(name).first().click()
  const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
  return {
    button,
    press,
    fill,
    heading: (name: string) => page.getByRole('heading', { name, exact: true }).waitFor(),
    see: (text: string | RegExp) =>
      page.getByText(text, { exact: true }).filter({ visible: true }).first().waitFor(),
    row: (name: string) => page.getByRole('row').filter({ hasText: name }),
    confirm: (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click(),
    /** Opens the dashboard anew, as a user does who has closed the browser and comes back. */
    async reopen() {
      await page.close()
      await openPage()
    },
    shoot: (name: string) => photograph(page, name),
    /** Forgets errors that a test has caused on purpose. */
    overlook(these: RegExp) {
      complaints.splice(0, complaints.length, ...complaints.filter((complaint) => !these.test(complaint)))
    },
    /** Signs in without the form, for tests of something else. */
    async signIn(path: string, data = admin, url = at()) {
      const answer = await context.request.post(`${url}/dashboard/api/session`, { data })
      expect(answer.status()).toBe(201)
      await page.goto(`${url}/dashboard${path}`)
    },
    async fillInSignIn(path: string, { email, password } = admin, url = at()) {
      await page.goto(`${url}/dashboard${path}`)
      await fill('E-mail', email)
      await fill('Password', password)
      await press('Sign in')
    },
  }
}
