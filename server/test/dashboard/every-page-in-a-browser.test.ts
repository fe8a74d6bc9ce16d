// Every page of the dashboard, in a real browser: what a viewer may press on it, whether it can be used by everybody, and
// the main tasks by keyboard alone.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDeepgramTts } from '../props/vendors/deepgram-tts.ts'
import type { TtsServer } from '../props/vendors/tts-suite.ts'
import { everyLook, faultsOf } from '../support/accessibility.ts'
import { dashboardPages } from '../support/dashboard-page.ts'
import { type Furniture, furnish } from '../support/furnish.ts'
import { keyTo } from '../support/keyboard.ts'
import { as, invite, password } from '../support/people.ts'
import { scriptedRunner } from '../support/scripted-runner.ts'
import { openService, type TestService } from '../support/service.ts'

const secret = 'dg-7f3a0c55e7d2b4891bc'
const viewer = { email: 'viewer@example.com', password }

let receiver: Server
let vendor: TtsServer
let service: TestService
let page: Page
let ids: Furniture

beforeAll(async () => {
  receiver = createServer((_request, response) => response.end('ok'))
  await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready))
  vendor = await openDeepgramTts(secret)
  service = await openService(
    {
      PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
      PARLEY_DRAIN_SECONDS: '0',
      PARLEY_TRUSTED_HOSTS: '127.0.0.1',
    },
    undefined,
    () => scriptedRunner(4),
  )
  ids = await furnish(service, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`)
  await invite(service, { email: viewer.email, workspaces: [as('viewer')] })
})
afterAll(async () => {
  await service?.close()
  await vendor?.close()
  receiver?.close()
})
const { button, press, fill, row, signIn, ...dashboard } = dashboardPages({
  at: () => service.url,
  opened: (one) => {
    page = one
  },
})

const see = (text: string | RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor()
const isLoaded = () => page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
/** Goes to a page as a link does, without loading everything again. */
const go = (at: string) =>
  page.evaluate(
    `history.pushState(null, '', '/dashboard${at}'); dispatchEvent(new PopStateEvent('popstate'))`,
  )
const shoot = (name: string) => dashboard.shoot(`every-${name}`)

/** Each page with the words that show it has loaded; pages with `axe` have fields that no other test checks. */
const pages = (): readonly { at: string; shows: string; axe?: true }[] => [
  { at: '/overview', shows: 'Overview' },
  { at: '/agents', shows: 'Receptionist', axe: true },
  { at: `/agents/${ids.agent}`, shows: 'Receptionist' },
  { at: `/agents/${ids.agent}/versions`, shows: 'Version 1' },
  { at: `/agents/${ids.graph}/graph`, shows: 'They want to buy.' },
  { at: '/agents/new', shows: 'From scratch' },
  { at: '/calls', shows: '+15550100' },
  { at: '/calls/live', shows: 'Live' },
  { at: `/calls/${ids.call}`, shows: 'Conversation' },
  { at: '/batches', shows: 'Reminders', axe: true },
  { at: '/batches/new', shows: 'Recipients', axe: true },
  { at: `/batches/${ids.batch}`, shows: 'Reminders', axe: true },
  { at: '/numbers', shows: '+15550199', axe: true },
  { at: '/numbers/new', shows: 'Store number', axe: true },
  { at: `/numbers/${ids.number}`, shows: 'Save changes' },
  { at: '/knowledge', shows: 'Handbook' },
  { at: `/knowledge/${ids.repository}`, shows: 'Add documents' },
  { at: '/tools', shows: 'find_order', axe: true },
  { at: '/tools/new', shows: 'Create tool' },
  { at: `/tools/${ids.tool}`, shows: 'Try it', axe: true },
  { at: '/pronunciations', shows: 'shivawn', axe: true },
  { at: '/vendors', shows: 'Deepgram', axe: true },
  { at: '/webhooks', shows: '127.0.0.1', axe: true },
  { at: `/webhooks/${ids.webhook}`, shows: 'Rotate secret', axe: true },
  { at: `/webhooks/${ids.webhook}/deliveries/${ids.delivery}`, shows: 'Replay', axe: true },
  { at: '/usage', shows: 'Download CSV', axe: true },
  { at: '/usage/limits', shows: 'Save changes' },
  { at: '/usage/prices', shows: 'Add public prices' },
  { at: '/transcripts', shows: 'Transcripts', axe: true },
  { at: '/people', shows: viewer.email },
  { at: '/keys', shows: 'API keys', axe: true },
  { at: '/workspaces', shows: 'Default', axe: true },
  { at: '/account', shows: 'Password' },
]

// The buttons that a viewer may press: those that only show something, or concern nobody but the viewer.
const harmless = [
  ...[/^Sign out/, /^Copy/, /^Hear /, /^Undo|^Redo/, /^Play( |$)|^Pause$/, /^menu$|^sales$/],
  ...[
    /^Search$/,
    /^Next$|^Previous$/,
    /^Change password$|^End /,
    /^Choose |^Insert /,
    /^Filters/,
    /^Zoom|^Fit/,
  ],
]

/** Every button of the page that a viewer could press, and every one that does not say why not. */
async function openTo(page: Page): Promise<string[]> {
  const found =
    (await page.evaluate(`[...document.querySelectorAll('main button:not([role=tab])')].map((one) => ({
    name: (one.getAttribute('aria-label') ?? one.textContent).trim(),
    isOpen: !one.matches(':disabled'),
    why: one.title || one.closest('[title]')?.title || '',
  }))`)) as { name: string; isOpen: boolean; why: string }[]
  return found
    .filter(({ name }) => !harmless.some((pattern) => pattern.test(name)))
    .flatMap(({ name, isOpen, why }) => (isOpen ? [name] : why ? [] : [`${name}, without saying why not`]))
}

const pictureOf = (at: string) =>
  at
    .slice(1)
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'one')
    .replaceAll('/', '-')

it('a viewer can press nothing that changes something, on any page, and everybody can use it', async () => {
  await signIn('/overview', viewer)
  await see('Overview')
  const menu = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  const linked = await menu.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  const visited = pages().map(({ at }) => `/dashboard${at}`)
  // A page in the menu that is not walked through here would be checked by nobody.
  expect(linked.filter((href) => href.startsWith('/dashboard') && !visited.includes(href))).toEqual([])
  const open: Record<string, string[]> = {}
  for (const { at, shows, axe } of pages()) {
    await go(at)
    await page.getByRole('main').getByText(shows).filter({ visible: true }).first().waitFor()
    await isLoaded()
    const pressable = await openTo(page)
    if (pressable.length > 0) open[at] = pressable
    await shoot(pictureOf(at))
    if (axe) expect(await faultsOf(page, 'html', everyLook), at).toEqual([])
  }
  expect(open).toEqual({})
})

/** The buttons that open a dialog, by page; other tests check those that they use. */
const dialogs = (): Record<string, readonly string[]> => ({
  [`/agents/${ids.agent}`]: ['Delete'],
  [`/batches/${ids.batch}`]: ['Cancel batch'],
  [`/numbers/${ids.number}`]: ['Remove'],
  '/knowledge': ['New repository'],
  [`/knowledge/${ids.repository}`]: ['Settings', 'Delete'],
  [`/tools/${ids.tool}`]: ['Remove'],
  '/pronunciations': ['Delete Siobhan'],
  [`/webhooks/${ids.webhook}`]: ['Edit', 'Rotate secret', 'Delete'],
  '/transcripts': ['New transcript'],
  '/people': ['Invite', `Remove ${viewer.email}`],
  '/keys': ['New key', 'Relabel First bound key', 'Revoke First bound key'],
  '/workspaces': ['New workspace', 'Rename Default', 'Delete Default'],
  '/users': ['Invite', `Change ${viewer.email}`, `Sessions of ${viewer.email}`, `Remove ${viewer.email}`],
})

it('everybody can use every dialog', async () => {
  await signIn('/overview')
  await see('Overview')
  for (const [at, names] of Object.entries(dialogs())) {
    await go(at)
    for (const name of names) {
      await press(name)
      await page.getByRole('dialog').waitFor()
      await isLoaded()
      await shoot(`${pictureOf(at)}-${name.replaceAll(/\W+/g, '-')}`)
      expect(await faultsOf(page, 'dialog'), `${name} on ${at}`).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  }
})

it('a viewer reads an agent and cannot type into it', async () => {
  await signIn(`/agents/${ids.agent}`, viewer)
  await see('you can see everything and change nothing')
  const fields = page.getByRole('tabpanel').locator('input, textarea, select')
  const writable = () => fields.evaluateAll((all) => all.filter((one) => !one.matches(':disabled')).length)
  await page.getByLabel('Name', { exact: true }).waitFor()
  expect(await writable()).toBe(0)
  await shoot('agent-read-only')
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('tab', { name: 'Conversation' }).click()
  await page.getByRole('tabpanel', { name: 'Conversation' }).waitFor()
  expect(await fields.count()).toBeGreaterThan(0)
  expect(await writable()).toBe(0)
  await page.getByRole('tab', { name: 'Advanced' }).click()
  const code = page.getByRole('textbox', { name: 'Agent configuration' })
  await code.click()
  await page.keyboard.type('typed')
  expect(await code.textContent()).not.toContain('typed')
  expect(await button('Save changes').count()).toBe(0)
})

it.each(['number', 'tool'] as const)('a viewer reads a %s and cannot type into it', async (kind) => {
  await signIn(`/${kind}s/${ids[kind]}`, viewer)
  await button('Save changes').waitFor()
  const fields = page.getByRole('main').locator('input, textarea, select')
  expect(await fields.count()).toBeGreaterThan(0)
  expect(await fields.evaluateAll((all) => all.filter((one) => !one.matches(':disabled')).length)).toBe(0)
})

it('the details of a call say what it cost, part by part', async () => {
  await signIn(`/calls/${ids.call}`)
  await page.getByRole('tab', { name: 'Details' }).click()
  const parts = page.getByRole('table', { name: 'Parts of the cost' })
  await parts.getByText('€0.003', { exact: true }).waitFor()
  await see('Together €0.068')
  await shoot('call-details')
  expect(await faultsOf(page)).toEqual([])
})

it('a key of a vendor is stored, tested, refused and deleted', async () => {
  await signIn('/vendors')
  await button('Add key for Deepgram').click()
  await fill('API key', secret)
  await fill('Address', vendor.baseUrl)
  await shoot('vendor-dialog')
  expect(await faultsOf(page)).toEqual([])
  await press('Store and test')
  await row('Deepgram').getByText('Valid', { exact: true }).filter({ visible: true }).waitFor()
  await row('Deepgram').getByText('dg-…91bc').waitFor()
  vendor.fault = { is: 'refuse', status: 401 }
  await press('Test the key for Deepgram')
  await row('Deepgram').getByText('Refused', { exact: true }).filter({ visible: true }).waitFor()
  await shoot('vendors-refused')
  vendor.fault = undefined
  await press('Delete the key for Deepgram')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await see('The key for Deepgram is deleted')
  await button('Add key for Deepgram').waitFor()
})

it('by keyboard alone: a word is added to the dictionary, mended, changed and deleted', async () => {
  await signIn('/pronunciations')
  await row('Siobhan').waitFor()
  await keyTo(page, 'button', 'New word')
  await page.keyboard.press('Enter')
  // The first field has the focus.
  await page.keyboard.type('Nguyen')
  await page.keyboard.press('Enter')
  await see('Give how it sounds')
  // The faulty field has it now.
  await page.keyboard.type('win')
  await shoot('word-dialog')
  expect(await faultsOf(page)).toEqual([])
  await page.keyboard.press('Enter')
  await row('Nguyen').getByText('win', { exact: true }).filter({ visible: true }).waitFor()
  await keyTo(page, 'button', 'Change Nguyen')
  await page.keyboard.press('Enter')
  await keyTo(page, 'textbox', 'Sounds (IPA)')
  await page.keyboard.type('wɪn')
  await page.keyboard.press('Enter')
  await row('Nguyen').getByText('/wɪn/').filter({ visible: true }).waitFor()
  await keyTo(page, 'button', 'Delete Nguyen')
  await page.keyboard.press('Enter')
  await keyTo(page, 'button', 'Delete word')
  await page.keyboard.press('Enter')
  await row('Nguyen').waitFor({ state: 'detached' })
})

it('by keyboard alone: a call is searched for, opened, read and shared; a webhook is made', async () => {
  await signIn('/agents')
  await row('Receptionist').waitFor()
  await keyTo(page, 'link', 'Calls')
  await page.keyboard.press('Enter')
  await keyTo(page, 'searchbox', /Search/)
  const found = page.waitForResponse((response) => response.url().includes('search='))
  await page.keyboard.type('+15550100')
  await page.keyboard.press('Enter')
  await page.waitForURL(/search=/)
  await (await found).finished()
  await isLoaded()
  await row('+15550100').waitFor()
  await keyTo(page, 'link', '+15550100')
  await page.keyboard.press('Enter')
  await keyTo(page, 'tab', 'Conversation')
  await page.keyboard.press('ArrowRight')
  await page.getByRole('heading', { name: 'Usage and cost' }).waitFor()
  await keyTo(page, 'button', 'Share', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await keyTo(page, 'button', 'Make a link')
  expect(await faultsOf(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('/shared/').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await keyTo(page, 'link', 'Webhooks')
  await page.keyboard.press('Enter')
  await keyTo(page, 'button', 'New webhook')
  await page.keyboard.press('Enter')
  await page.keyboard.type('http://127.0.0.1:9/hook')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByTestId('secret').waitFor()
  expect(await faultsOf(page)).toEqual([])
})
