// Calls, numbers, tools, usage and the overview in the dashboard: a real browser against a whole service whose calls are scripted.
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallOutcome } from '../../src/ports/call.ts'
import { faultsOf } from '../support/accessibility.ts'
import { detailOf, newAgent, placeCall, reaches } from '../support/call-fixture.ts'
import { dashboardPages } from '../support/dashboard-page.ts'
import { keyTo } from '../support/keyboard.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { type ScriptedRunner, type Step, scriptedRunner } from '../support/scripted-runner.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
let receiver: Receiver
let runner: ScriptedRunner
let agentId: string
let page: Page

beforeAll(async () => {
  receiver = await openReceiver()
  service = await openService(
    {
      PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
      PARLEY_DRAIN_SECONDS: '0',
      PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
      PARLEY_TRUSTED_HOSTS: '127.0.0.1',
    },
    undefined,
    ({ recordingsFolder }) => {
      runner = scriptedRunner(10, recordingsFolder)
      return runner
    },
  )
  agentId = await newAgent(service, { agent_name: 'Receptionist' })
  // Nobody calls it: what it looks for can be chosen in the list of calls.
  await newAgent(service, {
    agent_name: 'Surveyor',
    call_analysis_config: {
      summary: false,
      data_extraction: false,
      sentiment: false,
      disposition_fields: [{ field_name: 'appointment_booked', description: 'They agreed on a day' }],
    },
  })
  await service.ask('POST', '/webhooks', { body: { url: receiver.url, events: ['call.completed'] } })
})

afterAll(async () => {
  await service?.close()
  await receiver?.close()
})

const { press, fill, see, heading, shoot, signIn } = dashboardPages({
  at: () => service.url,
  opened: (one) => {
    page = one
  },
})
const choose = (label: string, option: string) =>
  page.getByRole('combobox', { name: label, exact: true }).selectOption({ label: option })
const rowNames = () => page.getByRole('table', { name: 'Calls' }).locator('tbody a').allTextContents()

const line = (turn: number, role: 'agent' | 'user', content: string, startSeconds: number) => ({
  turn,
  role,
  content,
  startSeconds,
  endSeconds: startSeconds + 2,
  interrupted: role === 'agent' && turn === 1,
})

const booked: Partial<CallOutcome> = {
  durationSeconds: 12,
  transcript: [
    line(0, 'agent', 'Hello, this is Maple Dental. How can I help?', 0.2),
    line(1, 'user', 'I would like an appointment on Monday, because my tooth hurts.', 3),
    {
      ...line(1, 'agent', '{"free":["10:00","14:30"]}', 5),
      role: 'tool',
      interrupted: false,
      tool: { name: 'find_slots', arguments: { day: 'Monday' } },
    },
    line(1, 'agent', 'On Monday there is room at ten', 5.5),
    line(2, 'user', 'Ten is fine. Goodbye.', 9),
  ],
  latency: [
    { turn: 1, endpointingMs: 410, sttMs: 120, llmMs: 180, ttsMs: 90, totalMs: 690 },
    { turn: 2, endpointingMs: 380, sttMs: 110, llmMs: 350, ttsMs: 95, totalMs: 840 },
  ],
  line: {
    codec: { name: 'PCMU', rateHz: 8000 },
    carrierCause: null,
    transfer: null,
    lateFrames: 1_212,
    quality: {
      packetsReceived: 597,
      packetsLost: 3,
      packetsSent: 600,
      farLossShare: 0.01,
      jitterMs: 7.4,
      roundTripMs: 41,
      concealedMs: 60,
      opinionScore: 4.2,
    },
  },
  engines: [
    {
      part: 'transcriber',
      asked: 'deepgram',
      used: 'moonshine',
      why: 'No credentials for deepgram are here.',
    },
  ],
}

const spokenAs = (outcome: Partial<CallOutcome>): Step[] => [
  { type: 'status', status: 'in-progress' },
  { type: 'note', note: 'The offline recognizer is used.' },
  { type: 'record', seconds: 12 },
  { type: 'outcome', outcome },
]
const spoken = spokenAs(booked)

/** The same call, answered from a passage of the knowledge base and from one that is gone. */
async function answeredFrom(text: string): Promise<Step[]> {
  const { repository_id } = (await service.ask('POST', '/knowledge-base', { body: { name: 'Handbook' } }))
    .body.data
  const at = `/knowledge-base/${repository_id}`
  await service.ask('POST', `${at}/documents`, { body: { title: 'Opening hours', text } })
  const search = async () =>
    (await service.ask('POST', `${at}/search`, { body: { query: text } })).body.data[0]
  await expect.poll(search).toBeDefined()
  const { document_id: documentId, chunk_id: chunkId } = await search()
  const sources = [
    { documentId, chunkId, title: 'Opening hours', score: 0.81 },
    { documentId, chunkId: randomUUID(), title: 'An older edition', score: 0.4 },
  ]
  const transcript = booked.transcript?.map((entry) =>
    entry.content.startsWith('On Monday') ? { ...entry, sources } : entry,
  )
  return spokenAs({ ...booked, ...(transcript && { transcript }) })
}

const analytics = {
  summary: 'Ada books an appointment on Monday at ten.',
  sentiment: { label: 'positive', score: 0.8, reason: 'She is friendly.' },
  disposition: {
    appointment_booked: { matched: true, reason: 'She said that ten is fine.', action: 'none' },
  },
  data_extraction: { day: 'Monday', insurance: null },
}

async function endedCall(placing = {}): Promise<string> {
  const id = await placeCall(service, agentId, { script: spoken, variables: { name: 'Ada' }, ...placing })
  await reaches(service, id, 'completed')
  await service.database.query('UPDATE calls SET analytics = $2 WHERE session_id = $1', [
    id,
    JSON.stringify(analytics),
  ])
  return id
}

describe('calls', () => {
  it('are listed as they come, filtered and searched, and the address holds it', async () => {
    await signIn('/calls')
    await heading('No calls yet')
    expect(await faultsOf(page)).toEqual([])
    await shoot('calls-empty')
    const scored = await endedCall({ to_phone_number: '+15550142' })
    const busy = { status: 'busy', terminatedBy: 'carrier', hangupReason: 'dial_busy', durationSeconds: 0 }
    const unanswered = await placeCall(service, agentId, {
      to_phone_number: '+15550177',
      script: [{ type: 'outcome', outcome: { ...busy, transcript: [] } }] as Step[],
    })
    await reaches(service, unanswered, 'busy')
    // Without a reload.
    await see('Busy')
    await expect.poll(rowNames).toEqual(['+15550177', '+15550142'])
    const scores = page.getByRole('columnheader', { name: 'Score' })
    expect(await scores.count()).toBe(0)
    await service.database.query('UPDATE calls SET qa_score = 87.5 WHERE session_id = $1', [scored])
    await scores.waitFor()
    await page.getByRole('cell', { name: '88', exact: true }).waitFor()
    await shoot('calls')
    expect(await faultsOf(page)).toEqual([])

    await choose('Status', 'Completed')
    await expect.poll(rowNames).toEqual(['+15550142'])
    await choose('Outcome', 'Appointment booked')
    await expect.poll(rowNames).toEqual(['+15550142'])
    await choose('Mood', 'Negative')
    await heading('No call like that')
    await page.getByRole('link', { name: 'Show all calls' }).click()
    await expect.poll(rowNames).toHaveLength(2)

    // By keyboard alone: to the search, and from there to the row that it finds.
    await page.keyboard.press('/')
    await page.keyboard.type('tooth appoint')
    await expect.poll(rowNames).toEqual(['+15550142'])
    expect(page.url()).toContain('search=tooth+appoint')
    await page.reload()
    await expect.poll(rowNames).toEqual(['+15550142'])
    await page.getByRole('heading', { name: 'Calls' }).click()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await heading('+15550142')
    await page.goBack()
    await fill('Search calls', '0177')
    await expect.poll(rowNames).toEqual(['+15550177'])
  })

  it('show everything that is known of them, and are shared by a link', async () => {
    const id = await endedCall({ script: await answeredFrom('On Mondays we are open from nine to five.') })
    await signIn(`/calls/${id}`)
    await see('Ada books an appointment on Monday at ten.')
    await see('The machine was overloaded: 1,212 frames of sound were late.')
    await page.getByRole('table').filter({ hasText: 'Outcomes' }).getByText('Yes').waitFor()
    await see('not said')
    await see('interrupted')
    await page.getByText('find_slots').click()
    await see('Arguments')
    await page.getByText('"Monday"').waitFor()
    await page.locator('pre').filter({ hasText: '"14:30"' }).waitFor()
    // Both answers, stage by stage.
    const answers = page.getByRole('region', { name: 'Latency' }).getByRole('listitem')
    await answers.filter({ hasText: 'Thinking 190 ms, Speaking 90 ms' }).getByText('690 ms').waitFor()
    await page.getByText('From 2 passages of the knowledge base').click()
    await see('On Mondays we are open from nine to five.')
    await see('Deleted or indexed again since.')
    await page.locator('[role=slider] svg').first().waitFor()
    await shoot('call')
    expect(await faultsOf(page)).toEqual([])

    // The transcript seeks in the recording, and follows it.
    await press('Play from 0:05')
    const slider = page.getByRole('slider', { name: 'Position in the recording' })
    await expect
      .poll(async () => Number(await slider.getAttribute('aria-valuenow')))
      .toBeGreaterThanOrEqual(5)
    const heard = page.locator('[aria-current]').filter({ hasText: 'On Monday there is room at ten' })
    await heard.waitFor()
    await press('Pause')
    // So does every word, and the one that is heard is marked. As slowly as a browser plays, so that it stays there.
    await page.evaluate('document.querySelector("audio").playbackRate = 0.0625')
    await heard.getByText('room', { exact: true }).click()
    await page.locator('[data-heard]').filter({ hasText: 'room' }).waitFor()
    const began = Number(await page.evaluate('document.querySelector("audio").currentTime'))
    // Fifteen of its 24 letters are said before it, in two seconds from 5.5 on.
    expect(began).toBeGreaterThan(6)
    expect(began).toBeLessThan(7.4)
    await press('Pause')
    await press('Play answer 1')
    await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe('6')
    await press('Pause')
    await slider.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe('0')
    await press('Speed: 1 times')
    expect(await page.evaluate('document.querySelector("audio").playbackRate')).toBe(1.25)

    await page.getByRole('tab', { name: 'Details' }).click()
    await see('The offline recognizer is used.')
    await page.getByText('No credentials for deepgram are here.').waitFor()
    await see('4.20 of 4.5')
    await see('3 of 600 (0.5 %)')
    await see('7.4 ms')
    // The value of the variable that it was given.
    await see('Ada')
    await shoot('call-details')
    expect(await faultsOf(page)).toEqual([])

    await page.getByRole('tab', { name: 'Deliveries' }).click()
    await see('Delivered')
    const before = receiver.received.length
    await press('Replay')
    await expect.poll(() => receiver.received.length).toBe(before + 1)
    await shoot('call-deliveries')

    await page.getByRole('tab', { name: 'JSON' }).click()
    expect(JSON.parse(String(await page.getByTestId('record').textContent()))).toMatchObject({
      session_id: id,
    })

    // As of an agent that does not record.
    const keep = await service.database.query<{ recording: string }>(
      'SELECT recording::text FROM calls WHERE session_id = $1',
      [id],
    )
    const store = (recording: string | null) =>
      service.database.query('UPDATE calls SET recording = $2 WHERE session_id = $1', [id, recording])
    await store(null)
    await page.goto(`${service.url}/dashboard/calls/${id}`)
    await see('There is no recording of this call.')
    await store(keep[0]?.recording ?? null)

    await press('Share')
    await page.getByLabel('Works for').selectOption('One hour')
    await press('Make a link')
    const link = String(await page.getByTestId('link').textContent())
    await page.context().clearCookies()
    await page.goto(link)
    await see('Ada books an appointment on Monday at ten.')
    await page.locator('[role=slider] svg').first().waitFor()
    await shoot('shared')
    expect(await faultsOf(page)).toEqual([])
    await page.goto(link.replace('signature=', 'signature=A'))
    await heading('This link does not work')
  })

  it('show the SIP messages of a telephone call as a ladder, and that it was hung up at once', async () => {
    const id = await endedCall({ script: spokenAs({ ...booked, durationSeconds: 0.8 }) })
    const message = (at: number, direction: string, text: string) => ({
      at: new Date(Date.UTC(2026, 0, 1) + at).toISOString(),
      direction,
      transport: 'udp',
      peer: '192.0.2.10:5060',
      text,
    })
    const messages = [
      message(
        0,
        'out',
        'INVITE sip:+15550100@sip.example.com SIP/2.0\r\nCSeq: 1 INVITE\r\n\r\nv=0\r\nm=audio 4000 RTP/AVP 0',
      ),
      message(30, 'in', 'SIP/2.0 100 Trying\r\nCSeq: 1 INVITE\r\n\r\n'),
      message(2400, 'in', 'SIP/2.0 200 OK\r\nCSeq: 1 INVITE\r\n\r\nv=0\r\nm=audio 6000 RTP/AVP 0'),
      message(2410, 'out', 'ACK sip:+15550100@sip.example.com SIP/2.0\r\nCSeq: 1 ACK\r\n\r\n'),
      message(14_400, 'in', 'BYE sip:us@192.0.2.1 SIP/2.0\r\nCSeq: 7 BYE\r\n\r\n'),
      message(14_420, 'out', 'SIP/2.0 481 Call/Transaction Does Not Exist\r\nCSeq: 7 BYE\r\n\r\n'),
    ]
    const asked = page.waitForResponse((response) => response.url().endsWith('/sip'))
    await signIn(`/calls/${id}`)
    await (await asked).finished()
    await page.getByRole('tab', { name: 'Details' }).waitFor()
    await see('Hung up at once')
    // A call without SIP messages has no tab for them.
    expect(await page.getByRole('tab', { name: 'SIP messages' }).count()).toBe(0)
    await service.database.query('INSERT INTO call_signalling VALUES ($1, $2, 0)', [
      id,
      JSON.stringify(messages),
    ])
    await page.reload()
    await page.getByRole('tab', { name: 'SIP messages' }).click()
    await page.getByText('INVITE', { exact: true }).first().click()
    await page.getByText('m=audio 4000').waitFor()
    await see('481 Call/Transaction Does Not Exist')
    await shoot('call-ladder')
    expect(await faultsOf(page)).toEqual([])
  })

  it('are followed while they run, and ended', async () => {
    const id = await placeCall(service, agentId, {
      script: [
        { type: 'status', status: 'in-progress' },
        { type: 'transcript', entry: line(0, 'agent', 'Hello, this is Maple Dental.', 0) },
        { type: 'partial', role: 'user', text: 'I would like' },
        { type: 'until-stopped' },
      ] as Step[],
    })
    await signIn(`/calls/${id}`)
    await see('Hello, this is Maple Dental.')
    await page.getByText('I would like').waitFor()
    await shoot('call-live')
    expect(await faultsOf(page)).toEqual([])
    await press('End call')
    await press('End it now')
    await see('Completed')
    expect((await detailOf(service, id)).hangup_reason).toBe('api_stopped')
  })
})

describe('the overview', () => {
  it('counts calls, and every number leads to the calls behind it', async () => {
    await signIn('/overview')
    const figure = (name: string) => page.locator('dl > div').filter({ hasText: name }).getByRole('link')
    await expect.poll(() => figure('Calls').textContent()).toBe('5')
    expect(await figure('Answered').textContent()).toBe('80 %')
    await shoot('overview')
    expect(await faultsOf(page)).toEqual([])
    await page
      .getByRole('region', { name: 'Why they ended' })
      .getByRole('link', { name: /line was busy/ })
      .click()
    await heading('Calls')
    await expect.poll(rowNames).toEqual(['+15550177'])
    expect(new URL(page.url()).searchParams.get('since')).toBe('24h')

    // What went over no number of ours is counted and listed alike.
    await page.goBack()
    await page
      .getByRole('region', { name: 'By number' })
      .getByRole('link', { name: /Without a number/ })
      .click()
    await expect.poll(async () => (await rowNames()).length).toBe(5)
    await page.goBack()
    await choose('Agent', 'Surveyor')
    await heading('No calls in this period')
    await choose('Agent', 'Receptionist')
    await expect.poll(() => figure('Calls').textContent()).toBe('5')
    expect(page.url()).toContain(`agent_id=${agentId}`)
    await page
      .getByRole('region', { name: 'By agent' })
      .getByText(/80 % answered · .* min/)
      .waitFor()
  })

  it('has a chart whose bars can be pointed at, heard, read and followed', async () => {
    await signIn('/overview')
    const chart = page.getByRole('region', { name: 'Calls by hour' })
    const bars = chart.getByRole('slider')
    // uPlot has been loaded and has drawn.
    await bars.locator('canvas').waitFor()
    await bars.hover()
    await chart.getByText('Answered').first().waitFor()
    await page.mouse.move(0, 0)
    /** The bar that the keyboard is at. An hour may end at any moment: it is known by its name, not by its place. */
    const bar = async () => {
      const words = (await bars.getAttribute('aria-valuetext')) ?? ''
      const [, name = '', calls] = /^(.*): Calls (\d+)/.exec(words) ?? []
      return { name, calls: Number(calls ?? 'none') }
    }
    const goTo = async (isWanted: (at: { name: string; calls: number }) => boolean) => {
      await page.keyboard.press('End')
      for (let left = 24; left > 0 && !isWanted(await bar()); left--) await page.keyboard.press('ArrowLeft')
      return bar()
    }
    await keyTo(page, 'slider', /Calls by hour/)
    const found = await goTo(({ calls }) => calls > 0)
    expect(found.calls).toBeGreaterThan(0)
    await chart.getByText('As a table').click()
    const row = chart
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: found.name, exact: true }) })
    expect(await row.getByRole('cell').first().textContent()).toBe(String(found.calls))
    expect(await faultsOf(page)).toEqual([])
    await bars.focus()
    expect(await goTo(({ name }) => name === found.name)).toEqual(found)
    await page.keyboard.press('Enter')
    await heading('Calls')
    await expect.poll(async () => (await rowNames()).length).toBe(found.calls)
  })

  it('has a chart in which a bar stays chosen when the hour ends and all bars move on', async () => {
    await page.clock.install()
    await signIn('/overview')
    const bars = page.getByRole('region', { name: 'Calls by hour' }).getByRole('slider')
    await bars.locator('canvas').waitFor()
    await keyTo(page, 'slider', /Calls by hour/)
    await page.keyboard.press('ArrowLeft')
    const words = () => bars.getAttribute('aria-valuetext')
    const place = async () => Number(await bars.getAttribute('aria-valuenow'))
    const [chosen, before] = [await words(), await place()]
    await page.clock.fastForward('01:00:00')
    await expect.poll(place).toBeLessThan(before)
    expect(await words()).toBe(chosen)
  })
})

describe('a number', () => {
  it('is stored with its trunk, checked, changed and removed; its password is never shown', async () => {
    await signIn('/numbers')
    await heading('No numbers yet')
    await page.getByRole('link', { name: 'New number' }).first().click()
    await heading('New number')
    await shoot('number-new')
    expect(await faultsOf(page)).toEqual([])
    await press('Store number')
    await page.getByRole('alert').getByText('phone_number', { exact: true }).waitFor()
    await fill('Telephone number', '+4930901820')
    await fill('Host', 'sip.example.com')
    await fill('User name', 'maple')
    await fill('Password', 'a-very-long-password-w9Qz')
    await page.getByLabel('Answered by').selectOption('Receptionist')
    await fill('Also accept calls from', '203.0.113.7\n203.0.113.0/24')
    await fill('Headers of every call', 'X-Account: 4711')
    await press('Store number')
    await heading('+4930901820')
    const stored = (await service.ask('GET', '/phone-numbers')).body.data.data[0]
    expect(stored).toMatchObject({
      inbound_agent_id: agentId,
      credentials: { username: 'maple', inbound_allow: ['203.0.113.7', '203.0.113.0/24'], srtp: 'off' },
    })
    expect(await page.content()).not.toContain('a-very-long-password')

    await press('Check the trunk')
    await page.getByText(/Answered in|No answer to a question/).waitFor()
    await shoot('number')
    expect(await faultsOf(page)).toEqual([])

    await fill('Calls at a time', '5')
    await page.getByLabel('Encryption of the sound').selectOption('If the other side can')
    const update = page.waitForRequest((request) => request.method() === 'PATCH')
    await press('Save changes')
    expect((await update).postDataJSON()).toEqual({ max_concurrency: 5, credentials: { srtp: 'optional' } })
    await see('Changes saved')
    await page.getByRole('link', { name: 'Numbers', exact: true }).first().click()
    await page.getByRole('row').filter({ hasText: '+4930901820' }).getByText('sip.example.com').waitFor()
    await shoot('numbers')
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('link', { name: '+4930901820' }).click()
    await press('Remove')
    await press('Remove number')
    await heading('No numbers yet')
  })
})

describe('usage', () => {
  it('is shown by day and by agent, with the limits', async () => {
    await signIn('/usage')
    const row = page.getByRole('table', { name: 'Usage' }).locator('tbody tr').first()
    await row.waitFor()
    const days = page.getByRole('slider', { name: /^Minutes/ })
    expect(await days.getAttribute('aria-valuetext')).toMatch(/^\d{4}-\d\d-\d\d: Minutes \d/)
    // Today is the last day, and leads to its calls.
    await days.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await heading('Calls')
    await expect.poll(async () => (await rowNames()).length).toBeGreaterThan(0)
    await page.goBack()
    await row.waitFor()
    await shoot('usage-days')
    await page.getByRole('link', { name: 'By agent' }).click()
    await expect.poll(() => row.textContent()).toContain('Receptionist')
    await page.getByRole('region', { name: 'Limits' }).getByText('Calls at once').waitFor()
    await shoot('usage')
    // A limit that stops calls is told here as well.
    await service.database.query("SELECT add_notice(workspace_id, 'minutes_per_day', 3, 3.5) FROM workspaces")
    await page.reload()
    const told = page.getByRole('status').filter({ hasText: '3 minutes' })
    await told.waitFor()
    await page.getByRole('link', { name: 'Overview', exact: true }).first().click()
    await heading('Overview')
    await told.waitFor()
    // Not for ever: it is of a day.
    await service.database.query("UPDATE workspace_notices SET created_at = now() - interval '25 hours'")
    await page.reload()
    await heading('Overview')
    await page.getByText('Answered').first().waitFor()
    expect(await told.count()).toBe(0)
    await service.database.query('DELETE FROM workspace_notices')
    expect(await faultsOf(page)).toEqual([])
  })
})

describe('limits and prices', () => {
  it('are set by an owner, and a fault is shown at its row', async () => {
    await signIn('/usage')
    await page.getByRole('link', { name: 'All limits' }).click()
    await heading('Limits')
    await fill('Minutes a day', '90')
    await fill('Allowed destinations', 'de\n+8816')
    await shoot('limits')
    expect(await faultsOf(page)).toEqual([])
    await press('Save changes')
    await see('Changes saved')
    await expect.poll(() => page.getByLabel('Allowed destinations').inputValue()).toBe('DE\n+8816')

    await page.getByRole('link', { name: 'Usage' }).last().click()
    await page.getByRole('region', { name: 'Limits' }).getByText('of 90').waitFor()
    await page.getByRole('link', { name: 'Prices' }).click()
    await heading('Prices')
    await press('Add carrier')
    await fill('Currency', 'EUR')
    await page.locator('input[name="lines.0.name"]').fill('sip')
    await press('Save changes')
    const carriers = page.getByRole('group', { name: 'Carriers' })
    await carriers.getByText('Is required.').waitFor()
    await page.locator('input[name="lines.0.per_minute"]').fill('0.02')
    await press('Add public prices')
    await expect.poll(() => page.locator('input[name="transcribers.0.name"]').inputValue()).not.toBe('')
    // What was chosen stays.
    expect(await page.getByLabel('Currency').inputValue()).toBe('EUR')
    await shoot('prices')
    expect(await faultsOf(page)).toEqual([])
    await press('Save changes')
    await expect
      .poll(() => service.database.query("SELECT prices->'rows'->-1 AS last FROM workspaces"))
      .toEqual([{ last: { part: 'line', name: 'sip', per_minute: 0.02 } }])
    await service.database.query(
      'UPDATE workspaces SET prices = NULL, minutes_per_day = NULL, allowed_destinations = NULL',
    )
  })
})

describe('a tool', () => {
  it('is created, tried for real, changed and removed; its secret is never shown', async () => {
    await signIn('/tools')
    await heading('No tools yet')
    await page.getByRole('link', { name: 'New tool' }).first().click()
    await fill('Name', 'order_status')
    await fill('URL', receiver.url)
    await fill('Headers', 'Authorization: Bearer a-very-long-token-w9Qz')
    await fill('Arguments', '{ "type": "object", "properties": { "order": { "type": "string" } } }')
    await press('Create tool')
    await heading('order_status')
    expect(await page.content()).not.toContain('a-very-long-token')
    await fill('Sample arguments', '{ "order": "A-1007" }')
    await press('Run')
    await see('It works')
    expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toEqual({ order: 'A-1007' })
    await shoot('tool')
    expect(await faultsOf(page)).toEqual([])
    await fill('Said while it runs', 'One moment.')
    const update = page.waitForRequest((request) => request.method() === 'PATCH')
    await press('Save changes')
    expect((await update).postDataJSON()).toEqual({ pre_call_message: 'One moment.' })
    await see('Changes saved')
    await press('Remove')
    await press('Remove tool')
    await heading('No tools yet')
    expect(await faultsOf(page)).toEqual([])
  })
})
