// Corrections of a transcript in the dashboard: saved while they are typed, there for a colleague and in another browser, and
// never lost.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { faultsOf } from '../support/accessibility.ts'
import { openBrowser, openContext } from '../support/browser.ts'
import { dashboardPages } from '../support/dashboard-page.ts'
import { as, invite, password, type TestPerson } from '../support/people.ts'
import { workspaceId } from '../support/service.ts'
import { toneWav } from '../support/speech/sounds.ts'
import {
  openTranscriptionFixture,
  type TranscriptionFixture,
} from '../support/speech/transcription-fixture.ts'

const ada = { email: 'ada@example.com', password }
const grace = { email: 'grace@example.com', password }
const viewer = { email: 'viewer@example.com', password }

let fixture: TranscriptionFixture
let browser: Browser
let page: Page
let asGrace: TestPerson
let fileId: string
let id: string
beforeAll(async () => {
  fixture = await openTranscriptionFixture()
  await invite(fixture, { email: ada.email, workspaces: [as('editor')] })
  asGrace = await invite(fixture, { email: grace.email, workspaces: [as('editor')] })
  await invite(fixture, { email: viewer.email, workspaces: [as('viewer')] })
  fileId = await fixture.fileOf(toneWav(3))
})
afterAll(() => fixture?.close())

/** Its lines are one, two, three; the second is of another speaker. */
beforeEach(async () => {
  const body = { file_id: fileId, diarize: true, align: true, metadata: { filename: 'meeting.wav' } }
  id = (await fixture.speak('POST', '/transcripts', { body })).body.data.transcript_id
  await fixture.ended(id)
})

const { press, see, signIn, shoot } = dashboardPages({
  at: () => fixture.url,
  opened: (one) => {
    page = one
  },
  browser: async () => {
    browser = await openBrowser()
    return browser
  },
})

const others: BrowserContext[] = []
afterEach(async () => {
  for (const context of others.splice(0)) await context.close()
})

/** Somebody's own browser, which knows nothing yet. */
async function elsewhere({ email }: typeof ada): Promise<Page> {
  const { context } = await openContext(browser)
  others.push(context)
  const other = await context.newPage()
  await other.goto(`${fixture.url}/dashboard/transcripts/${id}`)
  await other.getByLabel('E-mail', { exact: true }).fill(email)
  await other.getByLabel('Password', { exact: true }).fill(password)
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await line(other, 0).waitFor()
  return other
}

const open = async () => {
  await signIn(`/transcripts/${id}`, ada)
  await line(page, 0).waitFor()
}

const line = (on: Page, place: number) =>
  on.getByRole('list', { name: 'What is said' }).getByRole('listitem').nth(place)

const type = async (on: Page, place: number, text: string) => {
  await line(on, place)
    .getByRole('button', { name: /^Correct the line/ })
    .click()
  await line(on, place).getByRole('textbox').fill(text)
}

const name = (on: Page, speaker: number) => on.getByLabel(`Name of Speaker ${speaker}`)
const saved = (on: Page) => on.getByRole('status').getByText('Saved', { exact: true }).waitFor()

const path = () => `/workspaces/${workspaceId}/transcripts/${id}/corrections`
/** What everybody has: names and lines. */
const stored = async () => {
  const { speakers, segments } = (await asGrace.ask('GET', path())).body.data
  return [
    ...speakers.map((one: { name: string }) => one.name),
    ...segments.map((one: { id: number; text: string }) => `${one.id} ${one.text}`),
  ]
}
/** By Grace, on top of what is there. */
const write = async (...segments: { id: number; text: string }[]) => {
  const { version: base_version, speakers } = (await asGrace.ask('GET', path())).body.data
  const { status } = await asGrace.ask('PUT', path(), { speakers, segments, base_version })
  expect(status).toBe(200)
}
/** Just before the first corrections of this page reach the server. */
const meanwhile = (on: Page, happen: () => Promise<void>) => {
  let isFirst = true
  return on.route('**/corrections', async (route) => {
    const isDue = isFirst && route.request().method() === 'PUT'
    if (isDue) {
      isFirst = false
      await happen()
    }
    await route.continue()
  })
}
const kept = (on: Page) =>
  on.evaluate<string[]>('Object.keys(localStorage).filter((key) => /corrections|transcript/.test(key))')

it('what is typed is there in another browser and for a colleague, with who did it', async () => {
  await open()
  await name(page, 1).fill('Ada')
  await type(page, 1, 'Two')
  await saved(page)
  await see(/^Last corrected by you, /)
  expect(await stored()).toEqual(['Ada', '1 Two'])
  expect(await kept(page)).toEqual([])
  await press('Done')
  await shoot('transcript-corrections-saved')
  expect(await faultsOf(page)).toEqual([])

  const own = await elsewhere(ada)
  expect(await name(own, 1).inputValue()).toBe('Ada')
  await line(own, 1).getByText('Two', { exact: true }).waitFor()
  const hers = await elsewhere(grace)
  await hers.getByText(/^Last corrected by ada@example.com, /).waitFor()
  await line(hers, 1).getByText('Two', { exact: true }).waitFor()
  await line(hers, 0).getByText('Ada', { exact: true }).waitFor()
  // She goes on from there.
  await name(hers, 2).fill('Grace')
  await expect.poll(stored).toEqual(['Ada', 'Grace', '1 Two'])
})

it('a correction is taken back while it is typed, and a line becomes again what was heard', async () => {
  await open()
  await type(page, 2, 'trois')
  await expect.poll(stored).toEqual(['2 trois'])
  await line(page, 2).getByRole('textbox').press('Escape')
  await expect.poll(stored).toEqual([])
  await type(page, 2, 'trois')
  await press('Done')
  await expect.poll(stored).toEqual(['2 trois'])
  await line(page, 2)
    .getByRole('button', { name: /^Correct/ })
    .click()
  await press('As it was heard')
  await expect.poll(stored).toEqual([])
})

it('what two people correct at the same time is joined', async () => {
  await open()
  await meanwhile(page, () => write({ id: 0, text: 'uno' }))
  await type(page, 1, 'deux')
  await expect.poll(stored).toEqual(['0 uno', '1 deux'])
  await line(page, 0).getByText('uno', { exact: true }).waitFor()
  await saved(page)
})

it.each([
  ['Keep mine: trois', 'trois'],
  ['Take theirs: drei', 'drei'],
])('who corrects the same line as a colleague is told, and chooses: %s', async (choice, text) => {
  await open()
  await meanwhile(page, () => write({ id: 2, text: 'drei' }))
  await type(page, 2, 'trois')
  await page
    .getByRole('alert')
    .getByText(/^grace@example.com has corrected the same meanwhile/)
    .waitFor()
  expect(await stored()).toEqual(['2 drei'])
  await see('Not saved: choose at the top what is kept.')
  await shoot('transcript-corrections-clash')
  expect(await faultsOf(page)).toEqual([])
  await press(choice)
  await saved(page)
  expect(await stored()).toEqual([`2 ${text}`])
  await press('Done')
  await line(page, 2).getByText(text, { exact: true }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})

it('nothing is lost without a connection, nor when the browser is closed', async () => {
  const other = await elsewhere(ada)
  const context = other.context()
  await context.setOffline(true)
  await type(other, 0, 'uno')
  await other.getByText(/^Not saved; kept in this browser/).waitFor()
  await context.setOffline(false)
  await expect.poll(stored).toEqual(['0 uno'])
  await saved(other)

  await context.setOffline(true)
  await name(other, 2).fill('Grace')
  await other.getByText(/^Not saved; kept in this browser/).waitFor()
  await other.close()
  expect(await stored()).toEqual(['0 uno'])
  await context.setOffline(false)
  const back = await context.newPage()
  await back.goto(`${fixture.url}/dashboard/transcripts/${id}`)
  await line(back, 0).getByText('uno', { exact: true }).waitFor()
  expect(await name(back, 2).inputValue()).toBe('Grace')
  await expect.poll(stored).toEqual(['Grace', '0 uno'])
  await expect.poll(() => kept(back)).toEqual([])
})

it('a page that is left at once saves what was typed', async () => {
  await open()
  await type(page, 0, 'uno')
  await page.getByRole('link', { name: 'Transcripts', exact: true }).first().click()
  await expect.poll(stored).toEqual(['0 uno'])
})

it('all corrections are removed for everybody, after a question', async () => {
  await write({ id: 0, text: 'uno' })
  await open()
  await line(page, 0).getByText('uno', { exact: true }).waitFor()
  await press('Back to what was heard')
  await shoot('transcript-corrections-revert')
  expect(await faultsOf(page, 'dialog')).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Remove all corrections' }).click()
  await line(page, 0).getByText('one', { exact: true }).waitFor()
  await expect.poll(stored).toEqual([])
  await saved(page)
})

it('a viewer sees the corrections and cannot change them', async () => {
  await write({ id: 0, text: 'uno' })
  await signIn(`/transcripts/${id}`, viewer)
  await line(page, 0).getByText('uno', { exact: true }).waitFor()
  await see(/^Last corrected by grace@example.com, /)
  expect(await page.getByRole('button', { name: /^Correct the line/ }).count()).toBe(0)
  expect(await name(page, 1).isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: 'Back to what was heard' }).isDisabled()).toBe(true)
  expect(await faultsOf(page)).toEqual([])
})

it('corrections that only this browser has are offered, saved and forgotten', async () => {
  await page.goto(`${fixture.url}/dashboard`)
  const former = { names: { SPEAKER_00: 'Ada', SPEAKER_01: '' }, texts: { 0: 'one', 2: 'trois' } }
  await page.evaluate(`localStorage.setItem('parley-transcript-${id}', '${JSON.stringify(former)}')`)
  await open()
  await see('2 corrections of this transcript are in this browser only.')
  expect(await stored()).toEqual([])
  await shoot('transcript-corrections-former')
  expect(await faultsOf(page)).toEqual([])
  await press('Save for everybody')
  await expect.poll(stored).toEqual(['Ada', '2 trois'])
  await saved(page)
  expect(await kept(page)).toEqual([])
  await page.reload()
  await line(page, 2).getByText('trois', { exact: true }).waitFor()
  expect(await page.getByText('in this browser only').count()).toBe(0)
})
