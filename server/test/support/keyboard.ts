// The use of a page without a mouse.
import type { Page } from 'playwright-core'

/** Presses a key until the named element has the focus. */
export async function keyTo(
  page: Page,
  role: Parameters<Page['getByRole']>[0],
  name: string | RegExp,
  key = 'Tab',
): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true }).filter({ visible: true }).first()
  await wanted.waitFor()
  for (let presses = 0; presses < 150; presses++) {
    if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`The keyboard does not reach ${name}.`)
}
