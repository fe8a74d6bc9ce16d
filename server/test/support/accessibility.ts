// Checks a page with axe: on a wide screen and on a phone, where it must not scroll sideways, in light and in dark
// colours. Contrast takes nearly all of the time, so that most pages are checked in two looks: each colour is seen in
// both schemes, but what only a wide screen shows in light colours only. Where every page is walked through, that is
// seen in both.
import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

const wide = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }
const everything = "resultTypes: ['violations']"
// Nothing but contrast depends on the scheme.
const contrast = `${everything}, runOnly: ['color-contrast']`
const twoLooks = [
  { colorScheme: 'light', size: wide, rules: everything },
  { colorScheme: 'dark', size: phone, rules: everything },
] as const
export const everyLook = [...twoLooks, { colorScheme: 'dark', size: wide, rules: contrast }] as const

/** The serious and moderate faults, one per line. `within`: a selector of the part to be checked. */
export async function faultsOf(
  page: Page,
  within = 'html',
  looks: typeof twoLooks | typeof everyLook = twoLooks,
): Promise<string[]> {
  // axe is injected by the debugger, so that the content security policy of the page stays as it is.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const found: string[] = []
  const before = page.viewportSize()
  for (const { colorScheme, size, rules } of looks) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // Animations that began earlier are awaited: contrast is measured when colours have arrived.
    await page.evaluate(
      'Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))',
    )
    // Rules that passed are neither described nor transferred: they are most of the result.
    const violations = (await page.evaluate(
      `axe.run('${within}', { ${rules} }).then(({ violations }) => violations)`,
    )) as Violation[]
    for (const { id, impact, nodes } of violations)
      if (impact !== 'minor' && impact !== null)
        for (const { html, failureSummary } of nodes)
          found.push(
            `${colorScheme}, ${size.width} wide: ${id} (${impact}) ${html.slice(0, 200)} ${failureSummary ?? ''}`,
          )
    const width = await page.evaluate('document.documentElement.scrollWidth')
    if (Number(width) > size.width) found.push(`${size.width} wide: scrolls sideways to ${width}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  if (before) await page.setViewportSize(before)
  return found
}
