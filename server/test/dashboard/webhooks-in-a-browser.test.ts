// Webhooks in the dashboard: a real browser against a whole service, with a receiver.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDb } from '../../src/platform/db/db.ts'
import { calls } from '../../src/resources/calls/calls.ts'
import { dashboardPages } from '../support/dashboard-page.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { admin, openService, type TestService, workspaceId } from '../support/service.ts'

const quick = {
  PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
  PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
  PARLEY_WEBHOOK_BACKOFF_SECONDS: '0.2',
  // No test waits for it; long enough for a receiver that holds its answer back on a busy machine.
  PARLEY_WEBHOOK_TIMEOUT_SECONDS: '30',
}

let service: TestService
/** A service that sends to public addresses only, which is the default. */
let strict: TestService
let db: ReturnType<typeof openDb>
let receiver: Receiver
let page: Page

beforeAll(async () => {
  service = await openService(quick)
  strict = await openService()
  db = openDb({ connectionString: service.database.url }, 2, () => {})
})

afterAll(async () => {
  await db?.close()
  await strict?.close()
  await service?.close()
})

beforeEach(async () => {
  receiver = await openReceiver()
})

afterEach(async () => {
  await receiver.close()
  await service.database.query('DELETE FROM webhooks')
  await service.database.query('DELETE FROM agents')
})

const { press, fill, see, heading, confirm, signIn } = dashboardPages({
  at: () => service.url,
  besides: () => [strict.url],
  opened: (one) => {
    page = one
  },
})
const dialog = () => page.getByRole('dialog')
const gone = () => dialog().waitFor({ state: 'detached' })
const rows = () => page.getByRole('table').getByRole('row')
const seeInRow = (text: string) =>
  rows().nth(1).getByText(text, { exact: true }).filter({ visible: true }).waitFor()
const filterBy = (words: string) =>
  page.getByRole('navigation', { name: 'Deliveries by status' }).getByRole('link', { name: words }).click()
/** Next to the title. */
const seeBadge = (words: string) => page.locator('header').getByText(words, { exact: true }).waitFor()
const pageWidth = () => page.evaluate('document.documentElement.scrollWidth')

async function register(more: object = {}): Promise<string> {
  const body = { url: receiver.url, events: ['call.completed'], ...more }
  const { status, body: answer } = await service.ask('POST', '/webhooks', { body })
  expect(status).toBe(201)
  return answer.data.webhook_id
}

async function makeAgent(agent_name: string): Promise<string> {
  const body = { agent_config: { agent_name, llm_agent: {} } }
  return (await service.ask('POST', '/agents', { body })).body.data.agent_id
}

async function endCall(agentId: string): Promise<void> {
  const book = calls(db, 0)
  const call = { workspaceId, agentId, callType: 'outbound', toPhoneNumber: '+15550100' } as const
  await book.finish(await book.begin(call), {
    callStatus: 'completed',
    duration: 42,
    callSid: 'CA123',
    completedAt: new Date('2026-01-31T09:30:42.000Z'),
    terminatedBy: 'user',
    transcript: [
      { turn: 1, role: 'agent', content: 'Hello, this is Maple Dental. How can I help?' },
      {
        turn: 2,
        role: 'user',
        content: 'I would like to move my appointment to Thursday, if that is possible.',
      },
    ],
    recording: null,
    analytics: { summary: 'The caller moved an appointment to Thursday.' },
  })
}

const log = async (webhookId: string) =>
  (await service.ask('GET', `/webhooks/${webhookId}/deliveries`)).body.data.data as { status: string }[]
const settled = (webhookId: string, status: string) =>
  expect.poll(async () => (await log(webhookId))[0]?.status).toBe(status)

describe('a new webhook', () => {
  it('is registered, and its secret is shown once', async () => {
    await makeAgent('Receptionist')
    await signIn('/webhooks')
    await heading('No webhooks yet')
    await page.getByRole('button', { name: 'New webhook' }).first().click()
    // The first field already has the focus.
    await page.keyboard.type(receiver.url)
    await page.getByLabel('Agent', { exact: true }).selectOption('Receptionist')
    await fill('Description', 'Customer database')
    await press('Create webhook')
    const secret = String(await page.getByTestId('secret').textContent())
    expect(secret).toMatch(/^whsec_/)
    await press('Done')

    await heading(receiver.url)
    await see('Receptionist')
    await see('Customer database')
    await heading('No deliveries yet')
    await page.getByRole('link', { name: 'Webhooks', exact: true }).first().click()
    await seeInRow('Receptionist')
    await seeInRow('Active')
    await seeInRow('No delivery yet')
    await page.getByRole('link', { name: receiver.url }).click()
    await page.reload()
    await heading(receiver.url)
    expect(await page.content()).not.toContain(secret)
  })

  it('at a private address is refused at the field, unless the installation allows it', async () => {
    await signIn('/webhooks', admin, strict.url)
    await page.getByRole('button', { name: 'New webhook' }).first().click()
    await fill('URL', 'https://127.0.0.1/hook')
    await press('Create webhook')
    await dialog().getByRole('alert').getByText('A webhook needs a public https address.').waitFor()
    const field = page.getByLabel('URL', { exact: true })
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await field.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await gone()
    await heading('No webhooks yet')
  })

  it('for an unsupported event is refused at the events field', async () => {
    // The page offers supported events only, so the request is changed in flight, as from an outdated page.
    await page.route('**/webhooks', (route) =>
      route.request().method() === 'POST'
        ? route.continue({ postData: JSON.stringify({ url: receiver.url, events: ['call.started'] }) })
        : route.continue(),
    )
    await signIn('/webhooks')
    await page.getByRole('button', { name: 'New webhook' }).first().click()
    await fill('URL', receiver.url)
    await press('Create webhook')
    await dialog().getByRole('alert').getByText('events.0').waitFor()
    expect(await page.getByRole('checkbox').getAttribute('aria-invalid')).toBe('true')
    await dialog().getByRole('group', { name: 'Events' }).getByText('"call.started" is not offered').waitFor()
  })
})

describe('a test', () => {
  it('is sent, and its result is shown next to the button and in the log', async () => {
    receiver.answers.push(200, 503)
    await signIn(`/webhooks/${await register()}`)
    const outcome = page.getByRole('status', { name: 'Test' })
    await press('Send test')
    await outcome.getByText('Delivered').waitFor()
    await outcome.getByText('HTTP 200').waitFor()
    await seeInRow('Test')
    await seeInRow('Delivered')
    expect(receiver.received.length).toBe(1)

    await press('Send test')
    await outcome.getByText('Failed').waitFor()
    await outcome.getByText('HTTP 503').waitFor()
    await expect.poll(() => rows().count()).toBe(3)
    await outcome.getByRole('link', { name: 'See the test' }).click()
    await seeBadge('Test')
    await seeBadge('Failed')
    await see('answered 503')
  })
})

describe('a delivery', () => {
  it('that failed shows its attempts, and arrives when it is replayed', async () => {
    receiver.answers.push(500, 500, 500)
    const agentId = await makeAgent('Receptionist')
    const webhookId = await register()
    await endCall(agentId)
    await settled(webhookId, 'failed')
    await signIn(`/webhooks/${webhookId}`)
    await seeInRow('Failed')
    await seeInRow('3')
    await seeInRow('HTTP 500')
    await filterBy('Delivered')
    await heading('Nothing delivered')
    await filterBy('Failed')
    await rows().getByRole('link', { name: 'call.completed' }).click()

    await seeBadge('Failed')
    await expect.poll(() => rows().count()).toBe(4)
    expect(await page.getByRole('cell', { name: 'answered 500' }).count()).toBe(3)
    // What the receiver said is there to be read.
    await page
      .getByRole('figure', { name: 'The receiver answered attempt 3' })
      .getByText('out of order')
      .waitFor()
    const payload = JSON.parse(String(await page.getByTestId('payload').textContent()))
    expect(payload.data).toMatchObject({ agent_id: agentId, duration: 42, call_terminated_by: 'user' })

    const failed = page.url()
    // Fails once more, so that the new delivery is seen in progress.
    receiver.answers.push(500)
    await press('Replay')
    await page.waitForURL((url) => url.href !== failed)
    await seeBadge('Delivered')
    await expect.poll(() => rows().count()).toBe(3)
    expect(receiver.received.at(-1)?.body).toBe(receiver.received[0]?.body)
    await page.getByRole('link', { name: receiver.url }).click()
    await expect.poll(() => rows().count()).toBe(3)
    await seeInRow('Delivered')

    // Those that are chosen are replayed together.
    const before = receiver.received.length
    await page.getByLabel('Choose all on this page').check()
    await press('Replay 2')
    await see('2 queued again')
    await expect.poll(() => receiver.received.length).toBe(before + 2)
    await expect.poll(() => rows().count()).toBe(5)
    // Every row names its call.
    const session = (await service.database.query<{ session_id: string }>('SELECT session_id FROM calls'))[0]
    await rows()
      .nth(1)
      .getByRole('link', { name: session?.session_id.slice(-12) ?? '' })
      .click()
    await page.waitForURL(`**/calls/${session?.session_id}`)
  })

  it('in progress is updated to its end without any action', async () => {
    const held: ServerResponse[] = []
    const server = createServer((_request, response) => void held.push(response))
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const webhookId = await register({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })
    await signIn(`/webhooks/${webhookId}`)
    await heading('No deliveries yet')
    await endCall(await makeAgent('Receptionist'))
    await expect.poll(() => held.length).toBe(1)
    await page.reload()
    await seeInRow('Queued')
    await seeInRow('0')
    held[0]?.writeHead(500).end()
    await seeInRow('1')
    await expect.poll(() => held.length).toBe(2)
    await rows().getByRole('link', { name: 'call.completed' }).click()
    await seeBadge('Queued')
    await see('Next attempt')
    held[1]?.end()
    await seeBadge('Delivered')
    server.close()
    server.closeAllConnections()
  })

  it('is on the second page of the log when there are twenty newer ones', async () => {
    const webhookId = await register()
    for (let n = 1; n <= 21; n++) await service.ask('POST', `/webhooks/${webhookId}/test`)
    await signIn(`/webhooks/${webhookId}`)
    await filterBy('Delivered')
    await see('1–20 of 21')
    await press('Next')
    await see('21–21 of 21')
    expect(await rows().count()).toBe(2)
    expect(new URL(page.url()).search).toBe('?status=delivered&page=2')
  })
})

describe('a webhook', () => {
  it('is changed, where only the difference is sent', async () => {
    const agentId = await makeAgent('Night line')
    await signIn(`/webhooks/${await register({ description: 'Old' })}`)
    await press('Edit')
    await page.getByLabel('Agent', { exact: true }).selectOption('Night line')
    await fill('Description', '')
    const update = page.waitForRequest((request) => request.method() === 'PATCH')
    await press('Save')
    expect((await update).postDataJSON()).toEqual({ agent_id: agentId, description: null })
    await gone()
    await see('Night line')
  })

  it('is disabled, gets another secret, and is deleted', async () => {
    const webhookId = await register()
    await signIn(`/webhooks/${webhookId}`)
    await press('Send test')
    await rows().getByRole('link', { name: 'call.completed' }).waitFor()
    const active = page.getByRole('switch', { name: 'Active' })
    await active.click()
    await seeBadge('Disabled')
    expect(await active.isChecked()).toBe(false)
    expect(await page.getByRole('button', { name: 'Send test' }).isDisabled()).toBe(true)
    await rows().getByRole('link', { name: 'call.completed' }).click()
    await see('The webhook is disabled. Turn it on to replay this.')
    expect(await page.getByRole('button', { name: 'Replay' }).isDisabled()).toBe(true)
    await page.goBack()
    await active.click()
    await seeBadge('Active')

    await press('Rotate secret')
    await confirm('Rotate secret')
    expect(await page.getByTestId('secret').textContent()).toMatch(/^whsec_/)
    await press('Done')
    await gone()

    await press('Delete')
    await confirm('Delete webhook')
    await heading('No webhooks yet')
    await page.goto(`${service.url}/dashboard/webhooks/${webhookId}`)
    await heading('This webhook is not here')
  })

  it('is left when another workspace is chosen', async () => {
    await service.database.query(
      'INSERT INTO workspaces (workspace_id, name) VALUES (gen_random_uuid(), $1)',
      ['Oak Dental'],
    )
    await signIn(`/webhooks/${await register()}`)
    await heading(receiver.url)
    await page.getByRole('combobox', { name: 'Workspace' }).selectOption('Oak Dental')
    await heading('No webhooks yet')
  })
})

describe('a phone, 390 pixels wide', () => {
  it('shows every page and dialog without scrolling sideways', async () => {
    receiver.answers.push(500, 500, 500)
    const agentId = await makeAgent('An agent whose name is longer than a telephone is wide, without end')
    const url = `${receiver.url}/${'a-long-way-down/'.repeat(6)}`
    const webhookId = await register({ url, agent_id: agentId, description: 'w'.repeat(80) })
    await endCall(agentId)
    await settled(webhookId, 'failed')
    await page.setViewportSize({ width: 390, height: 844 })
    await signIn('/webhooks')
    await seeInRow('Failed')
    expect(await pageWidth()).toBe(390)
    await rows().getByRole('link').click()
    await press('Send test')
    await page.getByRole('link', { name: 'See the test' }).waitFor()
    expect(await pageWidth()).toBe(390)
    await press('Edit')
    expect(
      await dialog()
        .last()
        .evaluate((element) => element.scrollWidth <= element.clientWidth),
    ).toBe(true)
    await press('Cancel')
    await filterBy('Failed')
    await rows().getByRole('link').first().click()
    await page.getByTestId('payload').waitFor()
    expect(await pageWidth()).toBe(390)
  })
})
