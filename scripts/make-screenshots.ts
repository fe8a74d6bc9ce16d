// Takes the pictures of the README: a service with its own engines, a week of calls, and a browser. `npm run screenshots`.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { adminPassword, signIn } from '../bench/dashboard-fixture.ts'
import { type Home, makeHome, startService, workspaceId } from '../bench/service-process.ts'
import { moonshine, silero } from '../server/src/engines/models/catalogue.ts'
import { pronunciation } from '../server/src/engines/models/kokoro.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { type Demo, makeDemo } from './demo-data.ts'

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url))
// High enough for the whole menu.
const size = { width: 1280, height: 880 }

interface Camera {
  readonly page: Page
  readonly home: Home
  readonly demo: Demo
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/**
 * Waits until the agent has finished: typing earlier interrupts it. What is still being said ends with an ellipsis.
 */
async function hasSaid(page: Page, words: string): Promise<void> {
  const conversation = page.getByRole('region', { name: 'Conversation' })
  await conversation.getByText(words).first().waitFor()
  await conversation.getByText(/…$/).waitFor({ state: 'detached' })
}

/** The steps before each picture is taken. */
const pictures: Readonly<Record<string, (camera: Camera) => Promise<void>>> = {
  async overview({ page, home }) {
    await page.goto(`${home.url}/dashboard/overview?since=7d`)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByText('Why they ended').waitFor()
    await page.locator('canvas').first().waitFor()
  },
  async calls({ page, home }) {
    await page.goto(`${home.url}/dashboard/calls`)
    await page.getByRole('table', { name: 'Calls' }).getByRole('link').first().waitFor()
  },
  async call({ page, home, demo }) {
    await page.goto(`${home.url}/dashboard/calls/${demo.call}`)
    await page.locator('[role=slider] svg').first().waitFor()
    // The transcript follows the recording.
    await page.getByText('cleaning', { exact: true }).first().click()
    await button(page, 'Pause').click()
  },
  async agent({ page, home, demo }) {
    await page.goto(`${home.url}/dashboard/agents/${demo.reception}`)
    await button(page, 'Test').click()
    await button(page, 'Start a chat').click()
    await hasSaid(page, 'How can I help you?')
    await page.getByLabel('What you say').fill('How much is a cleaning?')
    await page.keyboard.press('Enter')
    await hasSaid(page, '80 dollars')
  },
  async graph({ page, home, demo }) {
    await page.goto(`${home.url}/dashboard/agents/${demo.menu}/graph`)
    await page.locator('.react-flow__node[data-id="welcome"]').click()
    await page.locator('.edge-label').first().waitFor()
  },
  async talk({ page, home, demo }) {
    await page.goto(`${home.url}/talk?agent=${demo.reception}`)
    await button(page, 'Type instead of talking').click()
    await hasSaid(page, 'How can I help you?')
    await page.getByLabel('Type to the agent').fill('When are you open?')
    await button(page, 'Send').click()
    await hasSaid(page, 'Monday to Friday')
  },
}

async function takeAll(home: Home): Promise<void> {
  console.log('A week of calls, and one that is really spoken …')
  const demo = await makeDemo(home)
  const { context, close } = await signIn(home.url)
  try {
    // Speech is made while it is waited for.
    context.setDefaultTimeout(120_000)
    await context.addInitScript(`localStorage.setItem('parley.workspace', '${workspaceId}')`)
    for (const [name, prepare] of Object.entries(pictures)) {
      const page = await context.newPage()
      await page.setViewportSize(size)
      await prepare({ page, home, demo })
      await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
      await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', caret: 'hide' })
      await page.close()
      console.log(`docs/images/${name}.png`)
    }
  } finally {
    await close()
  }
}

const models = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine, pronunciation)
if (models.absent) throw new Error(`The pictures show spoken calls: ${models.absent}`)
await mkdir(folder, { recursive: true })
const home = await makeHome()
const service = await startService(home, {
  env: {
    PARLEY_ADMIN_PASSWORD: adminPassword,
    PARLEY_MODELS_DIR: models.folder,
    PARLEY_WARM_ENGINES: 'true',
  },
})
try {
  await takeAll(home)
} finally {
  await service.stop()
  await home.remove()
}
