// A browser that is signed in to the dashboard of a service.
import { existsSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openBrowser } from '../server/test/support/browser.ts'

export const adminPassword = 'a password for measuring only'

export const canOpenBrowser = (): boolean => existsSync('/usr/bin/chromium')

export interface SignedIn {
  readonly browser: Browser
  readonly context: BrowserContext
  close(): Promise<void>
}

/** Signs in to a service that has `adminPassword` as PARLEY_ADMIN_PASSWORD. */
export async function signIn(url: string): Promise<SignedIn> {
  const browser = await openBrowser()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const data = { email: 'admin@parley.example', password: adminPassword }
  const answer = await context.request.post(`${url}/dashboard/api/session`, { data })
  if (!answer.ok()) throw new Error(`The sign-in answered ${answer.status()}: ${await answer.text()}`)
  return { browser, context, close: () => browser.close() }
}

// Takes the time after the frame in which a selector is painted. Runs in the page, before anything of its own.
const timeWhenPainted = (selector: string): string => `
  globalThis.painted = new Promise((resolve) => {
    const seen = new MutationObserver(() => {
      if (!document.querySelector(${JSON.stringify(selector)})) return
      seen.disconnect()
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
    })
    seen.observe(document, { childList: true, subtree: true })
  })`

/** Milliseconds from the navigation until the selector matches on the screen, by the clock of the page itself. */
export async function paintedMs(page: Page, address: string, selector: string): Promise<number> {
  await page.addInitScript(timeWhenPainted(selector))
  await page.goto(address, { waitUntil: 'commit' })
  // The debugger reads the figure: the content security policy of the page would stop a script that polls.
  return page.evaluate('painted')
}
