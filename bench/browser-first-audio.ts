// Claim: from opening the talk page to the agent's first sound in the browser at most two seconds, in 95 of 100 calls.
//
// A headless Chromium on the same machine, signed in, with an agent selected; the button is pressed as soon as it
// appears. The first sound is the first one above -50 dBFS in the page itself. Repeated behind a firewall that drops
// UDP, where root can set one up: the difference is the wait for WebRTC.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { moonshine, silero } from '../server/src/engines/models/catalogue.ts'
import { pronunciation } from '../server/src/engines/models/kokoro.ts'
import { wrenSynthesizer } from '../server/src/engines/wren/wren.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { openBrowserBy, openWholeBrowser } from '../server/test/support/browser.ts'
import { canOpenNamespace } from '../server/test/support/namespace/namespace.ts'
import { openOffice } from '../server/test/support/namespace/office.ts'
import { firstHeardMs, tapSound } from '../server/test/support/played.ts'
import { microphoneFlags, writeSpokenWav } from '../server/test/support/spoken-wav.ts'
import { percentile } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { apiKey, type Home, makeHome, startService } from './service-process.ts'

const targetMs = 2_000
const calls = 20
const password = 'a password for measuring only'

async function measure(): Promise<Row[]> {
  const { folder, absent } = await modelsAtHand(
    process.env.PARLEY_MODELS_DIR,
    silero,
    moonshine,
    pronunciation,
  )
  if (absent) return []
  const office = canOpenNamespace() ? await openOffice() : undefined
  const [made, wavFolder] = [await makeHome(), await mkdtemp(join(tmpdir(), 'parley-microphone-'))]
  const home = office ? { ...made, url: `http://${office.address}:${made.port}` } : made
  const silence = join(wavFolder, 'silence.wav')
  const voice = wrenSynthesizer({ folder })
  await writeSpokenWav(silence, voice, [{ silentMs: 60_000 }])
  await voice.close()
  const env = {
    ...(office && { HOST: office.address }),
    PARLEY_ADMIN_PASSWORD: password,
    PARLEY_MODELS_DIR: folder,
    PARLEY_TTS: 'wren',
    PARLEY_WARM_ENGINES: 'true',
  }
  const service = await startService(home, { env })
  try {
    await makeAgent(home)
    const flags = [
      ...microphoneFlags(silence),
      // Otherwise the microphone is available on localhost only.
      `--unsafely-treat-insecure-origin-as-secure=${home.url}`,
    ]
    const rows = [row('WebRTC', await through(home, await openWholeBrowser(...flags)))]
    if (!office) return rows
    await office.setUdp('vanishes')
    const inside = await openBrowserBy(office.chromium, ...flags)
    return [...rows, row('WebSocket, with UDP blocked', await through(home, inside))]
  } finally {
    await service.stop()
    await home.remove()
    await office?.close()
    await rm(wavFolder, { recursive: true, force: true })
  }
}

async function makeAgent({ url }: Home): Promise<void> {
  const agent_config = {
    agent_name: 'Desk',
    llm_agent: {},
    agent_welcome_message: 'Hello, this is the front desk.',
  }
  const headers = { 'x-api-key': apiKey, 'idempotency-key': 'desk', 'content-type': 'application/json' }
  await fetch(`${url}/agent/v1/agents`, { method: 'POST', headers, body: JSON.stringify({ agent_config }) })
}

/** Calls in sequence, each in its own page; the first one is a warm-up and does not count. */
async function through({ url }: Home, browser: Browser): Promise<number[]> {
  try {
    const context = await browser.newContext()
    await tapSound(context)
    await context.request.post(`${url}/dashboard/api/session`, {
      data: { email: 'admin@parley.example', password },
    })
    const waits: number[] = []
    for (let call = 0; call <= calls; call++) waits.push(await callOnce(context, url))
    return waits.slice(1)
  } finally {
    await browser.close()
  }
}

async function callOnce(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage()
  await page.goto(`${url}/talk`, { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Start talking' }).click()
  const heardMs = await whenHeard(page)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await page.getByText('The record of this call').waitFor()
  await page.close()
  return heardMs
}

/** The page records the time itself, so the polling interval does not matter. */
async function whenHeard(page: Page): Promise<number> {
  const patience = AbortSignal.timeout(20_000)
  for (;;) {
    const heardMs = await firstHeardMs(page)
    if (!Number.isNaN(heardMs)) return heardMs
    await sleep(50, undefined, { signal: patience })
  }
}

const row = (way: string, waits: readonly number[]): Row => {
  const p95 = percentile(waits, 0.95)
  return {
    claim: `talk page opened to the agent's first sound in it: ${way}`,
    measured: `p50 ${percentile(waits, 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms of ${waits.length}`,
    yardstick: 'none',
    ratio: '–',
    target: way === 'WebRTC' ? `p95 ≤ ${targetMs} ms` : 'none',
    verdict: way === 'WebRTC' ? verdict(p95 <= targetMs) : 'no target',
  }
}

await printIfMain(import.meta.url, measure)
