// The graph editor and the versions of an agent: a real browser against a whole service, with a real call in the
// sandbox.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { moonshine, silero } from '../../src/engines/models/catalogue.ts'
import { pronunciation } from '../../src/engines/models/kokoro.ts'
import { openMediaRunner } from '../../src/main/media/media-runner.ts'
import { modelsAtHand } from '../props/engines/models-at-hand.ts'
import { describeUnless } from '../props/unless.ts'
import { faultsOf } from '../support/accessibility.ts'
import { newAgent, reaches } from '../support/call-fixture.ts'
import { dashboardPages } from '../support/dashboard-page.ts'
import { admin, openService, type TestService } from '../support/service.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine, pronunciation)

const nodes = [
  {
    id: 'menu',
    prompt: 'Offer sales or support.',
    edges: [{ to_node_id: 'sales', condition_type: 'event', event_name: 'dtmf:1' }],
  },
  {
    id: 'sales',
    prompt: 'Ask what they want to buy.',
    static_message: 'This is sales.',
    edges: [{ to_node_id: 'menu', condition: 'They want to hear the choices again.' }],
  },
]

describeUnless(absent, 'in the dashboard', () => {
  let service: TestService
  let page: Page

  beforeAll(async () => {
    const settings = {
      PARLEY_MODELS_DIR: folder,
      PARLEY_TTS: 'wren',
      PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
      PARLEY_DRAIN_SECONDS: '0',
      PARLEY_WARM_ENGINES: 'true',
    }
    // In real time: on the virtual clock a call that waits for somebody keeps both cores busy.
    service = await openService(settings, undefined, openMediaRunner)
  })
  afterAll(async () => {
    await service?.close()
  })
  const { button, shoot, signIn } = dashboardPages({
    at: () => service.url,
    opened: (one) => {
      page = one
    },
  })

  const graphAgent = () =>
    newAgent(service, {
      agent_name: 'Menu',
      agent_type: 'graph_agent',
      llm_agent: { nodes, current_node_id: 'menu' },
      agent_welcome_message: 'Press one for sales.',
      // The call lasts until the page has been looked at.
      task_config: { hangup_after_silence: 0, call_terminate: 3_600, check_if_user_online: false },
    })
  const graphOf = async (id: string) => (await service.ask('GET', `/agents/${id}/graph`)).body.data
  const node = (name: string) => page.locator(`.react-flow__node[data-id="${name}"]`)

  it('a graph is extended by keyboard alone, undone, mended, and saved as a version', async () => {
    const id = await graphAgent()
    await signIn(`/agents/${id}/graph`)
    await node('sales').waitFor()
    await button('Add node').focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Name', { exact: true }).fill('support')
    await page.keyboard.press('Enter')
    await node('support').getByText('No edge leads here.').waitFor()
    await page.getByLabel('Prompt', { exact: true }).fill('Ask what is broken.')
    await node('support').getByText('Ask what is broken.').waitFor()

    // A focused node is chosen with Enter, and moved with the arrows.
    await node('menu').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Node menu' }).waitFor()
    await button('Add edge').focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Leads to').last().selectOption('support')
    await page.getByLabel('Condition', { exact: true }).fill('Something is broken.')
    await page.getByText('No faults. Not saved.').waitFor()
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await node('support').getByText('No edge leads here.').waitFor()
    for (let step = 0; step < 3; step++) await page.keyboard.press('Control+Shift+z')
    await page.getByText('No faults. Not saved.').waitFor()
    await shoot('graph-editor')
    expect(await faultsOf(page)).toEqual([])

    await page.keyboard.press('Control+s')
    await page.getByText('Saved as version 2').waitFor()
    const saved = await graphOf(id)
    expect(saved).toMatchObject({ version: 2, current_node_id: 'menu', faults: [] })
    expect(saved.nodes[0].edges[1]).toEqual({
      to_node_id: 'support',
      condition_type: 'llm',
      condition: 'Something is broken.',
    })
    expect(Object.keys(saved.layout).toSorted()).toEqual(['menu', 'sales', 'support'])

    await node('support').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Control+s')
    await expect.poll(async () => (await graphOf(id)).layout.support.x).not.toBe(saved.layout.support.x)
    expect((await graphOf(id)).version).toBe(2)
    await node('support').focus()
    await page.keyboard.press('Delete')
    await node('support').waitFor({ state: 'detached' })
  })

  it('the JSON and the drawing follow each other, and faults are shown where they are', async () => {
    const id = await graphAgent()
    await signIn(`/agents/${id}/graph`)
    await page.getByRole('tab', { name: 'JSON' }).click()
    const json = page.getByLabel('Graph as JSON')
    const extra = { id: 'extra', prompt: 'More.', edges: [{ to_node_id: 'gone' }] }
    await json.fill(JSON.stringify({ nodes: [...nodes, extra], current_node_id: 'extra' }))
    await node('extra').getByText('Start').waitFor()
    await page.getByText(/fault to mend/).waitFor()
    expect(await button('Save graph').isDisabled()).toBe(true)
    await json.fill('{"nodes": [')
    await page.getByText(/This is not valid JSON/).waitFor()
    await button('Undo').click()
    await expect.poll(() => json.inputValue()).not.toContain('extra')
    await page.getByRole('tab', { name: 'Node', exact: true }).click()
    await button('sales').click()
    await page.getByLabel('Message', { exact: true }).fill('Sales speaking.')
    await page.getByRole('tab', { name: 'JSON' }).click()
    await expect.poll(() => json.inputValue()).toContain('Sales speaking.')

    // Somebody else is first.
    await service.ask('PATCH', `/agents/${id}`, { body: { agent_config: { agent_prompt: 'Changed.' } } })
    await button('Save graph').click()
    await page.getByText(/The agent is at version 2 by now/).waitFor()
    await button('Save mine over it').click()
    await page.getByText('Saved as version 3').waitFor()
    expect((await graphOf(id)).nodes[1].static_message).toBe('Sales speaking.')
  })

  it('the node of a running call is highlighted, and its path is on the page of the call', async () => {
    const agent_id = await graphAgent()
    await signIn(`/agents/${agent_id}/graph`)
    await node('menu').waitFor()
    const steps = [{ wait_for: 'agent_done', press: '1', after_ms: 300 }]
    const metadata = { sandbox: { ring_ms: 100, steps, afterwards: 'silence' } }
    const body = { agent_id, to_phone_number: '+15550100', metadata }
    const { session_id } = (await service.ask('POST', '/calls', { body })).body.data
    await node('sales').getByText('Now').waitFor()
    await page.getByText('is at sales').waitFor()
    expect(await page.locator('[data-live]').count()).toBe(1)
    await shoot('graph-live')
    expect(await faultsOf(page)).toEqual([])
    await service.ask('POST', `/calls/${session_id}/stop`)
    await page.locator('[data-live]').waitFor({ state: 'detached' })
    expect(await reaches(service, session_id, 'completed')).toMatchObject({ agent_version: 1 })

    await page.goto(`${service.url}/dashboard/calls/${session_id}`)
    await page.getByRole('tab', { name: 'Path' }).click()
    const path = page.getByRole('list', { name: 'Nodes, in order' }).getByRole('listitem')
    await expect.poll(() => path.allTextContents()).toEqual(['menu', '→sales'])
    await node('sales').waitFor()
    await shoot('call-path')
    expect(await faultsOf(page)).toEqual([])
  })

  it('a version shows who changed what, leads to its calls, and is brought back', async () => {
    const id = await newAgent(service, { agent_name: 'Desk', agent_prompt: 'Be brief and friendly.' })
    const change = { agent_prompt: 'Be very brief and kind.', task_config: { use_fillers: true } }
    await service.ask('PATCH', `/agents/${id}`, { body: { agent_config: change } })
    await signIn(`/agents/${id}`)
    await page.getByRole('link', { name: 'Versions' }).click()
    await page.getByText('the key “First bound key”').first().waitFor()
    await expect.poll(() => page.locator('del').allTextContents()).toEqual(['friendly', 'false'])
    await expect.poll(() => page.locator('ins').allTextContents()).toEqual(['very ', 'kind', 'true'])
    await shoot('versions')
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'Version 1', exact: true }).click()
    await button('Bring version 1 back').click()
    await button('Bring it back').click()
    await page.getByText('Version 1 is back, as version 3').waitFor()
    await page.getByText('Brought back from 1').waitFor()
    await page.getByText(admin.email, { exact: false }).last().waitFor()
    const { agent_config, version } = (await service.ask('GET', `/agents/${id}`)).body.data
    expect([version, agent_config.agent_prompt]).toEqual([3, 'Be brief and friendly.'])
    await page.getByRole('link', { name: 'Calls with version 3' }).click()
    await page.getByRole('link', { name: 'Version 3' }).waitFor()
    expect(page.url()).toContain(`agent_id=${id}&agent_version=3`)
  })
})
