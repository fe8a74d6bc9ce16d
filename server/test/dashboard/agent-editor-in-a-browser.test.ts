// The agent editor in a real browser against a whole service with its own engines: by keyboard alone, in both
// schemes, wide and narrow.
//
// In real time, as everything in a browser is; speed is not asserted.
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { moonshine, silero } from '../../src/engines/models/catalogue.ts'
import { pronunciation } from '../../src/engines/models/kokoro.ts'
import { openMediaRunner } from '../../src/main/media/media-runner.ts'
import { modelsAtHand } from '../props/engines/models-at-hand.ts'
import { itUnless } from '../props/unless.ts'
import { faultsOf } from '../support/accessibility.ts'
import { openBrowser } from '../support/browser.ts'
import { newAgent } from '../support/call-fixture.ts'
import { dashboardPages } from '../support/dashboard-page.ts'
import { keyTo } from '../support/keyboard.ts'
import { admin, openService, type TestService } from '../support/service.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine, pronunciation)

let service: TestService
let page: Page

beforeAll(async () => {
  const env = { PARLEY_MODELS_DIR: folder, PARLEY_TTS: 'wren', PARLEY_DRAIN_SECONDS: '0' }
  // Calls are in real time: on a busy machine a voice that is loaded first comes too late.
  service = await openService({ ...env, PARLEY_WARM_ENGINES: 'true' }, undefined, openMediaRunner)
})
afterAll(async () => {
  await service?.close()
})
afterEach(() => service.database.query('DELETE FROM agents'))

const { press, heading, reopen, shoot } = dashboardPages({
  at: () => service.url,
  browser: () => openBrowser('--autoplay-policy=no-user-gesture-required'),
  opened: (one) => {
    page = one
  },
})
const field = (label: string) => page.getByLabel(label, { exact: true }).and(page.locator('input, textarea'))
const fill = (label: string, text: string) => field(label).fill(text)
const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) })

async function signIn(path?: string) {
  if (path) await page.goto(`${service.url}/dashboard${path}`)
  await fill('E-mail', admin.email)
  await fill('Password', admin.password)
  await press('Sign in')
}

describe('an agent', () => {
  itUnless(absent, 'is begun from a template, tried and created with the keyboard alone', async () => {
    await signIn('/agents/new')
    await heading('New agent')
    expect(await faultsOf(page)).toEqual([])
    await shoot('agent-templates')
    await keyTo(page, 'link', 'Receptionist')
    await page.keyboard.press('Enter')
    await heading('New agent: Receptionist')

    await keyTo(page, 'tab', 'Prompt')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await keyTo(page, 'radio', /^heart.*wren$/i)
    await keyTo(page, 'radio', /^michael.*wren$/i, 'ArrowDown')
    await keyTo(page, 'button', 'Test', 'Shift+Tab')
    await page.keyboard.press('Enter')
    await keyTo(page, 'button', 'Start a chat')
    await page.keyboard.press('Enter')

    const conversation = page.getByRole('region', { name: 'Conversation' })
    await conversation.getByText('Hello, this is Maple Dental.').first().waitFor()
    await keyTo(page, 'textbox', 'What you say')
    await page.keyboard.type('How much is a cleaning?')
    await page.keyboard.press('Enter')
    await conversation.getByText('How much is a cleaning?').waitFor()
    await conversation.getByText('A cleaning costs 80 dollars').first().waitFor()
    expect(await faultsOf(page)).toEqual([])
    await shoot('agent-trial')
    await keyTo(page, 'button', 'Hang up')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Open the record of this call' }).waitFor()
    await expect
      .poll(() => service.database.query('SELECT draft, call_type, finished FROM calls'))
      .toEqual([{ draft: true, call_type: 'web', finished: true }])
    expect(await service.database.query('SELECT 1 FROM agents')).toEqual([])

    await keyTo(page, 'button', 'Create agent', 'Shift+Tab')
    await page.keyboard.press('Enter')
    await heading('Receptionist')
    const [saved] = await service.database.query<{ voice: string }>(
      "SELECT config #>> '{synthesizer,provider_config,voice}' AS voice FROM agents",
    )
    expect(saved?.voice).toBe('michael')
  })

  it('is readable and usable in every tab, with no serious or moderate fault', async () => {
    const agentId = await newAgent(service, {
      agent_name: 'Tabs',
      agent_prompt: 'Greet {name}. It is {current_date}.',
      call_transfer_config: {
        destinations: [{ name: 'Front desk', to_phone_number: '+15550114', mode: 'warm' }],
      },
    })
    const numbers = { phone_number: '+4930901820', provider: 'sandbox', inbound_agent_id: agentId }
    expect((await service.ask('POST', '/phone-numbers', { body: numbers })).status).toBe(201)
    const tool = { type: 'built_in', name: 'end_call', description: 'Hang up at the end.' }
    expect((await service.ask('POST', '/tools', { body: tool })).status).toBe(201)
    await signIn(`/agents/${agentId}`)
    await heading('Tabs')
    for (const name of [
      'Prompt',
      'Model',
      'Voice',
      'Conversation',
      'Tools',
      'Knowledge',
      'Analysis',
      'Numbers',
    ]) {
      await tab(name).click()
      await page.getByRole('tabpanel', { name }).getByRole('heading').first().waitFor()
      expect(await faultsOf(page), name).toEqual([])
      await shoot(`agent-${name.toLowerCase()}`)
    }
    expect(page.url()).toContain('?tab=numbers')
    await tab('Model').click()
    const notice = page.getByRole('note').filter({ hasText: 'No language model is connected.' })
    await notice.getByRole('link', { name: 'How to connect one' }).waitFor()
    // A vendor without a key is greyed, with the way to connect it.
    await tab('Voice').click()
    const vendor = page.getByLabel('Who speaks').locator('option', { hasText: 'ElevenLabs (not connected)' })
    expect(await vendor.isDisabled()).toBe(true)
    await page
      .getByText(/more vendors can be connected/)
      .first()
      .click()
    await page.getByText('There is no key for ElevenLabs here.').first().waitFor()
    await tab('Prompt').click()
    await press('Insert a built-in variable')
    await page.getByRole('button', { name: '{current_time}' }).click()
    expect(await field('Prompt').inputValue()).toContain('{current_time}')
    await page.getByText(/^about \d+ tokens$/).waitFor({ state: 'attached' })
    await press('Discard')
    await tab('Numbers').click()
    await page.getByText('Whoever calls it speaks to this agent.').waitFor()
    await tab('Advanced').click()
    await page.locator('.cm-content').waitFor()
    expect(await faultsOf(page), 'Advanced').toEqual([])
    await shoot('agent-advanced')
    await page.reload()
    await page.locator('.cm-content').waitFor()
  })
})

describe('a draft that is not saved', () => {
  itUnless(absent, 'is tried with somebody of the sandbox, with values for its variables', async () => {
    const agentId = await newAgent(service, { agent_name: 'Tried', agent_welcome_message: 'Hello.' })
    await signIn(`/agents/${agentId}`)
    await fill('Welcome message', 'Hello {first_name}, do you have a minute?')
    await press('Test')
    await page.getByText('Simulate', { exact: true }).click()
    await page.getByLabel('{first_name}', { exact: true }).fill('Ada')
    await page.getByLabel('Whom it meets').selectOption({ label: 'Waiting: says hello and waits' })
    await page.getByText('With unsaved changes').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await shoot('agent-simulate')
    await press('Start the call')
    const conversation = page.getByRole('region', { name: 'Conversation' })
    await conversation.getByText('Hello Ada').first().waitFor()
    await press('Stop the call')
    await page.getByRole('link', { name: 'Open the record of this call' }).waitFor()
    expect(
      await service.database.query(
        "SELECT to_phone_number FROM calls WHERE draft AND call_type = 'outbound'",
      ),
    ).toEqual([{ to_phone_number: '+15550109' }])
  })
})

describe('a draft', () => {
  it('survives the end of its session, and is offered again', async () => {
    const agentId = await newAgent(service, { agent_name: 'Kept', agent_prompt: 'Before.' })
    await signIn(`/agents/${agentId}`)
    await fill('Prompt', 'Written for an hour.')
    await service.database.query('DELETE FROM sessions')
    await press('Save changes')
    await heading('Sign in to Parley')
    await signIn()
    await heading('Kept')
    expect(await field('Prompt').inputValue()).toBe('Written for an hour.')

    // The same after the browser was closed.
    await reopen()
    await page.goto(`${service.url}/dashboard/agents/${agentId}`)
    await press('Continue with them')
    expect(await field('Prompt').inputValue()).toBe('Written for an hour.')
    await press('Save changes')
    await page.getByText('Changes saved').waitFor()
    await page.reload()
    await heading('Kept')
    expect(await page.getByRole('button', { name: 'Continue with them' }).count()).toBe(0)
  })

  it('shows what the server refuses at its field, in its tab', async () => {
    const agentId = await newAgent(service, { agent_name: 'Refused' })
    await signIn(`/agents/${agentId}?tab=voice`)
    await fill('Language', 'de')
    await tab('Prompt').click()
    await press('Save changes')
    await page.getByRole('tab', { name: 'Voice 1 fault', selected: true }).waitFor()
    const language = field('Language')
    await expect.poll(() => language.evaluate((it) => it === it.ownerDocument.activeElement)).toBe(true)
    expect(await language.getAttribute('aria-invalid')).toBe('true')
    await shoot('agent-refused')
  })

  it('says which of its models have ended, and once it is saved which keywords are left out', async () => {
    const agentId = await newAgent(service, {
      agent_name: 'Dated',
      synthesizer: { provider: 'rime', provider_config: { model: 'arcana' } },
      transcriber: { provider: 'elevenlabs' },
    })
    await signIn(`/agents/${agentId}?tab=voice`)
    await page.getByText('Rime ended arcana on 15 August 2026. Use coda instead.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await fill('Names and terms to expect', 'Ada, Newcastle upon Tyne Quayside')
    await press('Save changes')
    await page.getByText('"Newcastle upon Tyne Quayside" is left out.').waitFor()
    await page.getByText('Rime ended arcana').waitFor()
  })

  it('is checked against the interface while it is written as JSON, and sends only what changed', async () => {
    const agentId = await newAgent(service, { agent_name: 'Raw' })
    await signIn(`/agents/${agentId}?tab=advanced`)
    const code = page.locator('.cm-content')
    await code.waitFor()
    const { body } = await service.ask('GET', `/agents/${agentId}`)
    const config = body.data.agent_config
    await code.fill(JSON.stringify({ ...config, no_such_key: 1 }, null, 2))
    await page.locator('.cm-lint-marker').first().waitFor()
    // It completes the names of fields.
    await code.fill('{  }')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Control+Space')
    await page.locator('.cm-tooltip-autocomplete').getByText('agent_welcome_message').waitFor()
    await page.keyboard.press('Escape')
    await code.fill('{ "agent_name": ')
    await page
      .getByText(/This is not valid JSON/)
      .first()
      .waitFor()
    await code.fill(JSON.stringify({ ...config, timezone: 'UTC' }, null, 2))
    const update = page.waitForRequest((request) => request.method() === 'PATCH')
    await press('Save changes')
    expect((await update).postDataJSON()).toEqual({ agent_config: { timezone: 'UTC' } })
    await page.getByText('Changes saved').waitFor()
  })
})

describe('a batch', () => {
  itUnless(absent, 'lets the greeting of its first row be heard before it is made', async () => {
    await newAgent(service, { agent_name: 'Reminder', agent_welcome_message: 'Hello {name}, see you {day}.' })
    await signIn('/batches/new')
    await page.getByLabel('CSV file').setInputFiles({
      name: 'week.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('to_phone_number,name,day\n+15550100,Ada,Monday\n+15550101,Grace,Friday\n'),
    })
    await page.getByLabel('Agent', { exact: true }).selectOption('Reminder')
    await press('Review')
    await page.getByText('Hello Ada, see you Monday.').waitFor()
    const hear = page.getByRole('button', { name: 'Hear it', exact: true })
    const said = `SELECT transcript -> 0 ->> 'content' AS said FROM calls WHERE draft AND finished AND transcript ->> 0 <> ''`
    // It ends by itself when the greeting has been said. On a busy machine the voice may be too late for a call.
    await expect
      .poll(async () => {
        if (await hear.isVisible()) await hear.click()
        return service.database.query(said)
      })
      .toContainEqual({ said: 'Hello Ada, see you Monday.' })
    expect(await service.database.query('SELECT 1 FROM batches')).toEqual([])
  })
})
