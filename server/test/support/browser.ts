// A real browser before a real service, and a record of whatever it asks or complains about.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

const built = fileURLToPath(new URL('../../../dashboard/dist/index.html', import.meta.url))

// A browser in a container: no graphics card, no sandbox of its own, and no talking to its maker.
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** With further flags, such as those of a microphone. */
export const openBrowser = (...more: readonly string[]): Promise<Browser> =>
  openBrowserBy('/usr/bin/chromium', ...more)

/** By another program, which starts it somewhere else. */
export function openBrowserBy(program: string, ...more: readonly string[]): Promise<Browser> {
  if (!existsSync(built))
    throw new Error('The dashboard is not built. Run: npm run build --workspace dashboard')
  return chromium.launch({ executablePath: program, args: [...flags, ...more] })
}

export interface Witnessed {
  readonly context: BrowserContext
  /** Every address that was asked. */
  readonly asked: string[]
  /** Everything that the console complained about. */
  readonly complaints: string[]
}

export async function openContext(browser: Browser): Promise<Witnessed> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  // Seconds on a quiet machine; on a crowded one a page may take this long.
  context.setDefaultTimeout(90_000)
  const asked: string[] = []
  const complaints: string[] = []
  context.on('request', (request) => asked.push(request.url()))
  context.on('weberror', (error) => complaints.push(String(error.error())))
  context.on('console', (message) => {
    // The browser notes every refused request; what the page makes of a refusal is what the tests look at.
    const refused = /^Failed to load resource: the server responded with a status of 4\d\d/
    if (message.type() === 'error' && !refused.test(message.text())) complaints.push(message.text())
  })
  return { context, asked, complaints }
}
