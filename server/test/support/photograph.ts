// Pictures of a page for people to look at, in the folder that PARLEY_SCREENSHOTS names: in both schemes, on a wide screen
// and on a phone.
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const folder = process.env.PARLEY_SCREENSHOTS

export async function photograph(page: Page, name: string): Promise<void> {
  if (!folder) return
  for (const [size, width] of Object.entries({ desktop: 1280, phone: 390 }))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 844 })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), fullPage: true })
    }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
}
