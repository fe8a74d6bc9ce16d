// A real browser, and a record of its requests and console errors.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core'

const built = fileURLToPath(new URL('../../../dashboard/dist/index.html', import.meta.url))

// For containers: no GPU, no sandbox, no background requests to the vendor.
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

const wholeBrowser = '/usr/bin/chromium'
// The headless build has the same engine and starts in half of the time.
const headlessShell = '/usr/bin/chromium-headless-shell'

/** Opens a browser for pages, with additional flags. */
export const openBrowser = (...more: readonly string[]): Promise<Browser> =>
  openBrowserBy(existsSync(headlessShell) ? headlessShell : wholeBrowser, ...more)

/** Opens a browser for calls, with sound and the microphone that the flags describe. */
export const openWholeBrowser = (...more: readonly string[]): Promise<Browser> =>
  openBrowserBy(wholeBrowser, ...more)

/** Opens a browser by another executable, such as a wrapper that starts it in a namespace. */
export function openBrowserBy(program: string, ...more: readonly string[]): Promise<Browser> {
  if (!existsSync(built))
    throw new Error('The dashboard is not built. Run: npm run build --workspace dashboard')
  return chromium.launch({ executablePath: program, args: [...flags, ...more] })
}

export interface WatchedPage {
  readonly context: BrowserContext
  /** Every requested URL. */
  readonly asked: string[]
  /** Every error on the console. */
  readonly complaints: string[]
}

// Chromium aborts requests with this error when a network interface is added or removed, as other tests do. A page asks the
// service again by itself.
const interrupted = /net::ERR_NETWORK_CHANGED/

/** A page does not ask again for its own files, and without a script it would stay empty: it is reloaded. */
function reloadIfInterrupted(): (request: Request) => Promise<void> {
  const waiting = new WeakSet<Page>()
  return async (request) => {
    const isPart = ['script', 'stylesheet'].includes(request.resourceType())
    if (!isPart || !interrupted.test(request.failure()?.errorText ?? '')) return
    const page = request.frame().page()
    if (waiting.has(page)) return
    waiting.add(page)
    // The load is awaited, because a navigation that another one interrupts fails.
    await page.waitForLoadState().catch(() => {})
    waiting.delete(page)
    await page.reload().catch(() => {})
  }
}

export async function openContext(browser: Browser): Promise<WatchedPage> {
  // Motion is reduced: without a graphics card, animations would be painted by the processor sixty times a second.
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  })
  // A page loads within seconds; on a busy machine it may take this long.
  context.setDefaultTimeout(90_000)
  const asked: string[] = []
  const complaints: string[] = []
  context.on('request', (request) => asked.push(request.url()))
  context.on('requestfailed', reloadIfInterrupted())
  context.on('weberror', (error) => complaints.push(String(error.error())))
  context.on('console', (message) => {
    // The browser logs every refused request; tests check how the page handles it instead.
    const refused = /^Failed to load resource: the server responded with a status of 4\d\d/
    const expected = refused.test(message.text()) || interrupted.test(message.text())
    if (message.type() === 'error' && !expected) complaints.push(message.text())
  })
  return { context, asked, complaints }
}
