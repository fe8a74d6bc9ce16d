// Batches in the dashboard: a real browser against a whole service whose calls are scripted.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf } from '../support/accessibility.ts'
import { batchOf, becomes, execute, newBatch, recipients } from '../support/batch-fixture.ts'
import { type CallFixture, newAgent, openCallFixture } from '../support/call-fixture.ts'
import { dashboardPages } from '../support/dashboard-page.ts'
import type { ScriptedRunner, Step } from '../support/scripted-runner.ts'
import type { TestService } from '../support/service.ts'

let fixture: CallFixture
let service: TestService
let runner: ScriptedRunner
let agentId: string
let page: Page

beforeAll(async () => {
  fixture = await openCallFixture()
  service = await fixture.api()
  ;({ runner } = await fixture.media({}, 20))
  agentId = await newAgent(service, {
    agent_name: 'Receptionist',
    agent_welcome_message: 'Hello {name}, is {day} fine?',
  })
})

afterAll(async () => {
  await fixture?.close()
})

const { press, see, heading, confirm, shoot, signIn } = dashboardPages({
  at: () => service.url,
  opened: (one) => {
    page = one
  },
})
const seeBadge = (words: string) => page.locator('header').getByText(words, { exact: true }).waitFor()
const chooseFile = (csv: string) =>
  page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'reminders.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })

const ends = (outcome: object): Step[] => [
  { type: 'wait', ms: 100 },
  { type: 'outcome', outcome },
]

it('errors in a file are shown before it is sent, and the server refuses it in the same words', async () => {
  await signIn('/batches/new')
  await heading('New batch')
  await chooseFile(
    'to_phone_number,name,day\n+15550100,Ada,Monday\n0800 12,Grace,Tuesday\n+15550101,Alan,Friday\n',
  )
  await see('1 row would be refused')
  await page.getByText('Row 2: 0800 12 is no telephone number').waitFor()
  await shoot('batch-faults')
  await page.getByLabel('Agent', { exact: true }).selectOption('Receptionist')
  await press('Review')
  await confirm('Create batch')
  await page
    .getByRole('alert')
    .getByText(/Row 2 \(line 3\): 0800 12 is no telephone number/)
    .waitFor()
  expect((await service.ask('GET', '/batch-calls')).body.data.pagination.total).toBe(0)
})

it('a batch is created from a file, started, and watched to its end', async () => {
  await signIn('/batches')
  await heading('No batches yet')
  await page.getByRole('link', { name: 'New batch' }).first().click()
  const rows = Array.from(
    { length: 12 },
    (_, at) => `+155501${String(at).padStart(2, '0')},Person ${at},Monday`,
  )
  await chooseFile(`Mobile,name,day\n${rows.join('\n')}\n`)
  expect(await page.getByLabel('Telephone numbers are in').inputValue()).toBe('Mobile')
  await see('12 rows read, no fault found.')
  await page.getByLabel('Agent', { exact: true }).selectOption('Receptionist')
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('reminders')
  await page.getByLabel('Nobody answered').check()
  await shoot('batch-new')
  await press('Review')
  await heading('Call 12 recipients?')
  await page.getByText('Hello Person 0, is Monday fine?').waitFor()
  await shoot('batch-review')
  expect(await faultsOf(page)).toEqual([])
  await confirm('Create batch')
  await heading('reminders')
  await seeBadge('Not started')
  await seeBadge('Sandbox')
  await expect.poll(() => page.getByRole('table').getByText('Sandbox', { exact: true }).count()).toBe(12)
  await shoot('batch-created')
  const before = runner.plans.length
  await press('Start calling')
  await seeBadge('Completed')
  await see('12 of 12 done')
  expect(runner.plans.length - before).toBe(12)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download results' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^batch-.*\.csv$/)
  await page.getByRole('link', { name: 'Batches', exact: true }).first().click()
  const listed = page.getByRole('row').filter({ hasText: 'reminders' })
  await listed.getByText('Sandbox', { exact: true }).waitFor()
})

it('a batch whose trunk does not answer says so, and stays paused if somebody wants that', async () => {
  const silence = ends({ status: 'failed', terminatedBy: 'carrier', hangupReason: 'trunk_unreachable' })
  const id = await newBatch(service, {
    name: 'Reminders, week 13',
    agent_id: agentId,
    recipients: recipients(40, () => ({ script: silence })),
  })
  await signIn(`/batches/${id}`)
  await press('Start calling')
  await seeBadge('Paused')
  await page.getByText(/^The trunk of this batch does not answer, so nobody is called\./).waitFor()
  await page.getByText('Tried again', { exact: true }).waitFor()
  await press('Stay paused')
  await page.getByText('Tried again', { exact: true }).waitFor({ state: 'detached' })
  await seeBadge('Paused')
})

it('a running batch is paused, resumed and cancelled', async () => {
  const outcomes = [
    ends({}),
    ends({}),
    ends({ status: 'no-answer', answeredBy: null }),
    ends({ answeredBy: 'voicemail' }),
    ends({ status: 'busy' }),
    ends({ status: 'failed', terminatedBy: 'carrier', hangupReason: 'dial_failed' }),
  ]
  const id = await newBatch(service, {
    name: 'Reminders, week 12',
    agent_id: agentId,
    max_concurrency: 6,
    from_phone_number: '+15550199',
    calling_window: { timezone: 'Europe/Paris', start_time: '00:00', end_time: '24:00' },
    retry_config: { max_retries: 2, intervals_minutes: [30, 120] },
    recipients: recipients(600, (place) => ({
      name: `Person ${place}`,
      script: outcomes[place % outcomes.length] as Step[],
    })),
  })
  await signIn(`/batches/${id}`)
  await heading('Reminders, week 12')
  await press('Start calling')
  await seeBadge('Calling')
  await expect.poll(async () => (await batchOf(service, id)).counts.completed).toBeGreaterThan(20)
  await press('Pause')
  await seeBadge('Paused')
  await page.getByText(/ of 600 done$/).waitFor()
  await shoot('batch-paused')
  await press('Resume')
  await seeBadge('Calling')
  await shoot('batch-calling')
  await page
    .getByRole('navigation', { name: 'Recipients by status' })
    .getByRole('link', { name: 'Voicemail' })
    .click()
  await page.getByRole('table', { name: 'Recipients' }).getByText('Voicemail').first().waitFor()
  await press('Cancel batch')
  await confirm('Cancel batch')
  await seeBadge('Cancelled')
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('link', { name: 'Batches', exact: true }).first().click()
  await heading('Batches')
  await shoot('batches')
})

it('those who were not reached are called again by a new batch, and a batch is deleted after confirmation', async () => {
  const id = await newBatch(service, {
    name: 'Short',
    agent_id: agentId,
    recipients: recipients(2, (place) => ({
      name: `Person ${place}`,
      script: ends(place === 0 ? { durationSeconds: 42 } : { status: 'no-answer', answeredBy: null }),
    })),
  })
  await execute(service, id)
  await becomes(service, id, 'completed')
  await signIn(`/batches/${id}`)
  // Each with its outcome, how long it took, and the way to its call.
  const first = page.getByRole('row').filter({ hasText: 'Person 0' })
  expect(await first.getByRole('link', { name: 'The last call to Person 0' }).textContent()).toBe('42 s')
  await page.getByRole('row').filter({ hasText: 'Person 1' }).getByText('No answer').first().waitFor()
  await press('Call 1 unreached again')
  await heading('Short, again')
  await page.getByRole('row').filter({ hasText: 'Person 1' }).waitFor()
  expect(await page.getByRole('row').filter({ hasText: 'Person 0' }).count()).toBe(0)
  await page.goto(`${service.url}/dashboard/batches/${id}`)
  await heading('Short')
  await first.getByRole('link').click()
  await heading('+15550000000')
  await page.goto(`${service.url}/dashboard/batches/${id}`)
  await press('Delete')
  await confirm('Delete batch')
  await heading('Batches')
  expect((await service.ask('GET', `/batch-calls/${id}`)).status).toBe(404)
})
