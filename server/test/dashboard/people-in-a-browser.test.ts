// People in the dashboard: an invitation, roles side by side, listening in, typing to an agent, in a real browser against
// a whole service with real calls.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { moonshine, silero } from '../../src/engines/models/catalogue.ts'
import { pronunciation } from '../../src/engines/models/kokoro.ts'
import { openMediaRunner } from '../../src/main/media/media-runner.ts'
import { modelsAtHand } from '../props/engines/models-at-hand.ts'
import { describeUnless } from '../props/unless.ts'
import { faultsOf } from '../support/accessibility.ts'
import { openBrowser } from '../support/browser.ts'
import { newAgent, reaches } from '../support/call-fixture.ts'
import { dashboardPages } from '../support/dashboard-page.ts'
import { as, invite, owner, password } from '../support/people.ts'
import { admin, openService, type TestService } from '../support/service.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine, pronunciation)

describeUnless(absent, 'in a browser', () => {
  let service: TestService
  let page: Page

  beforeAll(async () => {
    const quick = { PARLEY_CALL_EVENT_DELAY_SECONDS: '0', PARLEY_DRAIN_SECONDS: '1', PARLEY_TTS: 'wren' }
    // Calls are in real time: on a busy machine a voice that is loaded first comes too late.
    const ready = { PARLEY_MODELS_DIR: folder, PARLEY_WARM_ENGINES: 'true' }
    service = await openService({ ...quick, ...ready }, undefined, openMediaRunner)
  })
  afterAll(async () => {
    await service?.close()
  })

  const { press, fill, heading, shoot, button, ...dashboard } = dashboardPages({
    at: () => service.url,
    browser: () => openBrowser('--autoplay-policy=no-user-gesture-required'),
    opened: (one) => {
      page = one
    },
  })
  const see = (text: string | RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor()
  const open = (path: string) => page.goto(`${service.url}${path}`)

  const signIn = (path: string, email = admin.email, secret = admin.password) =>
    dashboard.fillInSignIn(path.replace('/dashboard', ''), { email, password: secret })

  /** Without a fault on a desktop and on a telephone; kept for people to look at. */
  async function inspect(name: string) {
    expect(await faultsOf(page), name).toEqual([])
    await shoot(`people-${name}`)
  }

  it('somebody is invited as a viewer, sees everything and can change nothing', async () => {
    await newAgent(service, { agent_name: 'Receptionist' })
    await signIn('/dashboard/people')
    await heading('Only owners so far')
    await press('Invite')
    await fill('E-mail', 'not an address')
    await press('Make a link')
    await see('Must be an e-mail address.')
    await inspect('invite')
    await fill('E-mail', 'grace@example.com')
    await page.getByLabel('Role').selectOption('viewer')
    await press('Make a link')
    const link = (await page.getByTestId('link').textContent()) ?? ''
    await press('Done')
    await see('grace@example.com')
    await press('Sign out')
    await heading('Sign in to Parley')

    await page.goto(link)
    await see('Viewer of Default')
    await inspect('invitation')
    await fill('Your name', 'Grace Hopper')
    await fill('Password', password)
    await press('Join')
    await see('You are a viewer of Default: you can see everything and change nothing.')
    await open('/dashboard/people')
    await see('Grace Hopper')
    await page.getByRole('table', { name: 'Members' }).waitFor()
    await expect.poll(() => button('Invite').isDisabled()).toBe(true)
    expect(await button('Invite').getAttribute('title')).toBe('Your role here is viewer; admins may do this.')
    expect(await page.getByLabel('Role of grace@example.com').isDisabled()).toBe(true)
    await inspect('members')
    expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0)
    await page.goto(link)
    await see('This invitation is not valid any more.')
  })

  it('sessions are seen and ended, and what was typed outlives the session', async () => {
    const elsewhere = await invite(service, { email: 'ada@example.com', workspaces: [as('admin')] })
    await signIn('/dashboard/account', 'ada@example.com', password)
    await heading('Ada Lovelace')
    await see('This browser')
    await inspect('account')
    await press('Sign out everywhere else')
    await see('Signed out everywhere else')
    expect((await elsewhere.ask('GET', '/session')).status).toBe(401)

    await open('/dashboard/people')
    await press('Invite')
    await fill('E-mail', 'half.typed@example.com')
    const boss = await owner(service)
    const { data } = (await boss.ask('GET', '/users?limit=100')).body.data
    const ada = data.find(({ email }: { email: string }) => email === 'ada@example.com')
    await boss.ask('DELETE', `/users/${ada.user_id}/sessions`)
    await press('Make a link')
    await see('Your session has ended. What you were doing is kept until you are back.')
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.getByLabel('E-mail', { exact: true }).fill('ada@example.com')
    await again.getByLabel('Password', { exact: true }).fill(password)
    await press('Sign in')
    await expect
      .poll(() => page.getByLabel('E-mail', { exact: true }).inputValue())
      .toBe('half.typed@example.com')
    await press('Make a link')
    await page.getByTestId('link').waitFor()
    await press('Done')
  })

  it('a running call is followed, listened to and ended', async () => {
    const quiet = { ambient_noise: true, hangup_after_silence: 0, check_if_user_online: false }
    const agent_id = await newAgent(service, { agent_name: 'Desk', task_config: quiet })
    const metadata = { sandbox: { steps: [{ stay_silent_ms: 600_000 }] } }
    const body = { agent_id, to_phone_number: '+15550100', metadata }
    const { session_id } = (await service.ask('POST', '/calls', { body })).body.data
    await reaches(service, session_id, 'in-progress')
    await signIn('/dashboard/calls/live')
    await page.getByRole('list', { name: 'Calls under way' }).getByText('+15550100').waitFor()
    await press('Listen in')
    await button('Stop listening').waitFor()
    await see(`${admin.email} listens in.`)
    await inspect('live')
    await press('Stop listening')
    await see(new RegExp(`${admin.email} listened in for \\d+ second`))
    await press('End call')
    await press('End it now')
    await see('No other call is under way.')
    await see('This call has ended.')
    await open(`/dashboard/calls/${session_id}`)
    await page.getByRole('tab', { name: 'Details' }).click()
    await page.getByRole('heading', { name: 'Listeners' }).waitFor()
  })

  it('an agent is answered by typing, without a microphone', async () => {
    await service.database.query('DELETE FROM agents')
    await newAgent(service, {
      agent_name: 'City library',
      agent_welcome_message: 'Hello, this is the city library.',
      agent_prompt: 'You are the desk of the city library. We are open from nine to five.',
    })
    await signIn('/dashboard/agents')
    await heading('Agents')
    await open('/talk')
    await page.getByText('Microphone and loudspeaker').click()
    await page.getByLabel('Microphone', { exact: true }).waitFor()
    await inspect('talk')
    await press('Type instead of talking')
    const conversation = page.getByRole('region', { name: 'Conversation' })
    await conversation.getByText('Hello, this is the city library.').first().waitFor()
    await page.getByLabel('Type to the agent').fill('When are you open?')
    await press('Send')
    await conversation.getByText('When are you open?').first().waitFor()
    await conversation
      .getByText(/nine to five/)
      .first()
      .waitFor()
    await inspect('talk-typed')
    await press('Hang up')
    await see('The record of this call')
  })

  it('a workspace is deleted when its name was typed', async () => {
    const boss = await owner(service)
    await boss.ask('POST', '/workspaces', { name: 'Short-lived' })
    await signIn('/dashboard/workspaces')
    await press('Delete Short-lived')
    expect(await button('Delete for good').isDisabled()).toBe(true)
    await fill('Type “Short-lived” to confirm', 'Short-lived')
    await inspect('delete')
    await press('Delete for good')
    await see('Deleted')
    await expect.poll(() => button('Delete Short-lived').count()).toBe(0)
    await open('/dashboard/users')
    await page.getByRole('table', { name: 'Users' }).waitFor()
    await inspect('users')
  })
})
