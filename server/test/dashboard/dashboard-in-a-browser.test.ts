import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { faultsOf } from '../support/accessibility.ts'
import { dashboardPages } from '../support/dashboard-page.ts'
import { as, invite, password } from '../support/people.ts'
import { admin, openService, type TestService, workspaceId } from '../support/service.ts'

const member = { email: 'member@parley.example', password }

let service: TestService
let page: Page

beforeAll(async () => {
  service = await openService()
})

afterAll(async () => {
  await service?.close()
})

afterEach(() => service.database.query('DELETE FROM agents'))

const { press, fill, see, heading, row, ...dashboard } = dashboardPages({
  at: () => service.url,
  opened: (one) => {
    page = one
  },
  workspace: null,
})

const open = (path: string) => page.goto(`${service.url}/dashboard${path}`)
const follow = (name: string) => page.getByRole('link', { name, exact: true }).click()
const visit = (name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()
const seeInRow = (name: string, text: string) =>
  row(name).getByText(text, { exact: true }).filter({ visible: true }).waitFor()

const signIn = (who = admin, path = '/') => dashboard.fillInSignIn(path, who)

describe('signing in', () => {
  it('opens the dashboard, and signing out leaves it', async () => {
    await signIn()
    await heading('Agents')
    await page.reload()
    await heading('Agents')
    await press('Sign out')
    await heading('Sign in to Parley')
    await open('/keys')
    await heading('Sign in to Parley')
  })

  it('leads to the requested page', async () => {
    await signIn(admin, '/keys')
    await heading('API keys')
  })

  it('reports a wrong password in the words of the server', async () => {
    await signIn({ ...admin, password: 'wrong' })
    await page.getByRole('alert').getByText('The e-mail address or the password is wrong.').waitFor()
  })
})

describe('scripts that do not come', () => {
  const complaints = /net::ERR_FAILED|dynamically imported module/

  it('are missing on their own page only, which says so and can be loaded again', async () => {
    await signIn()
    await heading('No agents yet')
    const script = '**/assets/keys-page-*.js'
    await page.route(script, (route) => route.abort())
    await visit('API keys')
    await heading('This could not be loaded')
    expect(await faultsOf(page)).toEqual([])
    await dashboard.shoot('not-loaded')
    await visit('Webhooks')
    await heading('Webhooks')
    await visit('API keys')
    await heading('This could not be loaded')
    await page.unroute(script)
    await press('Reload')
    await heading('API keys')
    dashboard.overlook(complaints)
  })

  it('are told by the page itself', async () => {
    await page.route('**/assets/*.js', (route) => route.abort())
    await open('/agents')
    await see('The dashboard could not be loaded yet. Please reload this page.')
    dashboard.overlook(complaints)
  })
})

describe('an agent', () => {
  it('is created, changed, listed and deleted', async () => {
    await signIn()
    await heading('No agents yet')
    const notice = page.getByRole('note').filter({ hasText: 'No language model is connected.' })
    await notice.getByRole('link', { name: 'How to connect one' }).waitFor()
    await page.getByRole('link', { name: 'New agent' }).first().click()
    await page.getByRole('link', { name: 'From scratch' }).click()
    await fill('Name', 'Receptionist')
    await fill('Welcome message', 'Hello, this is Maple Dental.')
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Be brief and friendly.')
    await page.getByRole('tab', { name: 'Voice' }).click()
    await page.getByRole('button', { name: 'Hear heart' }).waitFor()
    await page.getByRole('radio', { name: /^bella .* wren$/ }).check()
    await press('Create agent')
    await heading('Receptionist')

    await fill('Name', 'Front desk')
    await page.getByRole('tab', { name: 'Conversation' }).click()
    await fill('Hang up after silence of', '45')
    const update = page.waitForRequest((request) => request.method() === 'PATCH')
    await press('Save changes')
    expect((await update).postDataJSON()).toEqual({
      agent_config: { agent_name: 'Front desk', task_config: { hangup_after_silence: 45 } },
    })
    await see('Changes saved')
    await heading('Front desk')

    await visit('Agents')
    await seeInRow('Front desk', 'Active')
    await follow('Front desk')
    await press('Delete')
    await press('Delete agent')
    await heading('No agents yet')
    expect(await service.database.query('SELECT agent_id FROM agents')).toEqual([])
  })

  it('that the server refuses shows its sentence and marks the field', async () => {
    await signIn(admin, '/agents/new?template=blank')
    await fill('Name', 'Refused')
    await page.getByRole('tab', { name: 'Analysis' }).click()
    await fill('Older webhook', 'not an address')
    await press('Create agent')
    const alert = page.getByRole('alert')
    await alert.getByText('The request does not match the interface; details lists every fault.').waitFor()
    await alert.getByText('agent_config.webhook_url').waitFor()
    const field = page.getByLabel('Older webhook')
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await field.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
  })

  it('is on the second page when there are twenty newer ones', async () => {
    for (let n = 1; n <= 21; n++) await makeAgent({ agent_name: `Agent ${n}` })
    await signIn()
    await row('Agent 21').waitFor()
    await see('1–20 of 21')
    await press('Next')
    await see('21–21 of 21')
    expect(await page.getByRole('row').count()).toBe(2)
    await page.getByRole('link', { name: 'Agent 1', exact: true }).waitFor()
  })
})

describe('an API key', () => {
  it('bound to a workspace works on the Voice AI interface until it is revoked', async () => {
    await signIn(admin, '/keys')
    await press('New key')
    // The first field already has the focus.
    await page.keyboard.type('Billing service')
    await page.keyboard.press('Enter')
    const key = String(await page.getByTestId('key').textContent())
    const listAgents = () => service.bare('GET', '/agent/v1/agents', { headers: { 'x-api-key': key } })
    expect((await listAgents()).status).toBe(200)
    await press('Done')

    await seeInRow('Billing service', 'This workspace only')
    await press('Relabel Billing service')
    await fill('Label', 'Invoices')
    await press('Save')
    await press('Revoke Invoices')
    await press('Revoke key')
    await seeInRow('Invoices', 'Revoked')
    expect((await listAgents()).status).toBe(401)

    await press('Reactivate Invoices')
    await seeInRow('Invoices', 'Active')
    expect((await listAgents()).status).toBe(200)
  })

  it('without a label is refused, and Escape closes the dialog and restores the focus', async () => {
    await signIn(admin, '/keys')
    await press('New key')
    await press('Create key')
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('Label', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const opener = page.getByRole('button', { name: 'New key' })
    expect(await opener.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
  })
})

describe('workspaces', () => {
  it('are created, renamed and switched, and the browser remembers the choice', async () => {
    await signIn(admin, '/workspaces')
    await press('New workspace')
    await fill('Name', 'Maple Dental')
    await press('Create workspace')
    await press('Rename Maple Dental')
    await fill('Name', 'Oak Dental')
    await press('Save')
    await row('Oak Dental').waitFor()
    const switcher = page.getByRole('combobox', { name: 'Workspace' })
    await switcher.selectOption('Oak Dental')
    await visit('Agents')
    await see('Voice agents of Oak Dental.')
    await page.reload()
    await see('Voice agents of Oak Dental.')
  })
})

describe('users', () => {
  it('who are members see no user page, and only their own workspaces', async () => {
    await invite(service, { email: member.email, workspaces: [as('editor')] })
    await signIn(member)
    await heading('Agents')
    expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0)
    expect(await page.getByRole('combobox', { name: 'Workspace' }).locator('option').count()).toBe(1)
    await open('/users')
    await heading('There is no page here')
    await open('/workspaces')
    await page.getByRole('table').waitFor()
    expect(await page.getByRole('button', { name: 'New workspace' }).count()).toBe(0)
  })

  it('change their own password', async () => {
    await signIn(member, '/account')
    await fill('Current password', 'not mine')
    await fill('New password', 'a third horse battery')
    await press('Change password')
    await see('This is not your password.')
    await fill('Current password', member.password)
    await press('Change password')
    await see('Password changed')
    await page.getByRole('main').getByRole('button', { name: 'Sign out', exact: true }).click()
    await signIn({ ...member, password: 'a third horse battery' })
    await heading('Agents')
  })
})

describe('a session that has ended', () => {
  it('leads back to the sign-in page, also from an open page', async () => {
    await signIn()
    await heading('Agents')
    await page.context().clearCookies()
    await visit('API keys')
    await heading('Sign in to Parley')
  })
})

describe('the documentation', () => {
  it('leads from its home page to guides, a search and the reference, from this origin alone', async () => {
    await page.goto(`${service.url}/docs`)
    await heading('Documentation')
    expect(await faultsOf(page)).toEqual([])
    await page.getByLabel('Search the documentation').fill('sitemap passages')
    await page.keyboard.press('Enter')
    await page.getByRole('main').getByRole('link', { name: 'Knowledge' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Knowledge' }).waitFor()
    await page.getByRole('link', { name: 'Parley documentation' }).click()
    await page
      .getByRole('main')
      .getByRole('link', { name: /^API reference/ })
      .click()
    await page.getByRole('heading', { name: 'Create an agent' }).waitFor()
  })

  it('is found under its old addresses', async () => {
    await page.goto(`${service.url}/docs#operation/createAgent`)
    await page.waitForURL(`${service.url}/docs/reference#operation/createAgent`)
    await page.goto(`${service.url}/docs/speech`)
    expect(page.url()).toBe(`${service.url}/docs/reference/speech`)
  })
})

describe('a phone, 390 pixels wide', () => {
  it('shows every page without scrolling sideways, and the menu as a drawer', async () => {
    await makeAgent({ agent_name: 'An agent whose name is longer than a telephone is wide, without end' })
    await page.context().addInitScript(`localStorage.setItem('parley.workspace', '${workspaceId}')`)
    await page.setViewportSize({ width: 390, height: 844 })
    await signIn()
    for (const [link, title] of Object.entries({
      'API keys': 'API keys',
      Workspaces: 'Workspaces',
      Users: 'Users',
      [admin.email]: 'Account',
      Agents: 'Agents',
    })) {
      await press('Open the menu')
      await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: link }).click()
      await heading(title)
      await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    }
    await page.getByRole('table').getByRole('link').click()
    await page.getByRole('tab', { name: 'Advanced' }).click()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })
})

async function makeAgent(config: object): Promise<string> {
  const body = { agent_config: { llm_agent: {}, ...config } }
  const answer = await service.ask('POST', '/agents', { body })
  expect(answer.status).toBe(201)
  return answer.body.data.agent_id
}
