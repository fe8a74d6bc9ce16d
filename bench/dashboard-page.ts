// Claim: the first page of the dashboard loads at most 150 kB of code and style, and Lighthouse gives it at least 95 of 100
// for performance and for accessibility.
//
// Lighthouse brings 180 MB of packages and is therefore no dependency: `npm install --prefix .toolchain/lighthouse lighthouse`
// puts it where this script looks for it, in a folder of its own, because npm would remove the Node of .toolchain otherwise.
// Without it there are the size and the time until the page is painted. The yardstick is the smallest page with React.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { adminPassword, canOpenBrowser, paintedMs, type SignedIn, signIn } from './dashboard-fixture.ts'
import { median } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { makeHome, startService } from './service-process.ts'
import { openYardstick } from './yardstick-page.ts'

const mostKilobytes = 150
const leastScore = 95
const mostPaintedMs = 1_000
const rounds = 15
const lighthouse = fileURLToPath(
  new URL('../.toolchain/lighthouse/node_modules/lighthouse/cli/index.js', import.meta.url),
)

async function measure(): Promise<Row[]> {
  if (!canOpenBrowser()) return []
  const home = await makeHome()
  const service = await startService(home, {
    env: { PARLEY_ROLES: 'api', PARLEY_ADMIN_PASSWORD: adminPassword },
  })
  const yardstick = await openYardstick()
  try {
    const signedIn = await signIn(home.url)
    const pages = { ours: `${home.url}/dashboard/`, bare: yardstick.url }
    try {
      return [
        await sizeRow(signedIn, pages),
        await paintRow(signedIn, pages),
        ...(await lighthouseRows(signedIn, pages)),
      ]
    } finally {
      await signedIn.close()
    }
  } finally {
    await yardstick.close()
    await service.stop()
    await home.remove()
  }
}

/** The first page after the sign-in, and the yardstick. */
interface Pages {
  readonly ours: string
  readonly bare: string
}

async function sizeRow({ context }: SignedIn, { ours, bare }: Pages): Promise<Row> {
  const [page, yardstick] = [await sentFor(context, ours), await sentFor(context, bare)]
  return {
    claim: 'first page of the dashboard: code and style, gzip',
    measured: `${page.kilobytes.toFixed(1)} kB in ${page.files} files`,
    yardstick: `${yardstick.kilobytes.toFixed(1)} kB for the smallest page with React`,
    ratio: (page.kilobytes / yardstick.kilobytes).toFixed(1),
    target: `≤ ${mostKilobytes} kB`,
    verdict: verdict(page.kilobytes <= mostKilobytes),
  }
}

/** Code and style that a page loads until nothing more is asked for. */
const sentFor = (context: SignedIn['context'], address: string) =>
  fresh(context, async (page) => {
    const files = new Map<string, Promise<Buffer>>()
    page.on('response', (response) => {
      if (/\.(js|css)$/.test(new URL(response.url()).pathname)) files.set(response.url(), response.body())
    })
    await page.goto(address, { waitUntil: 'networkidle' })
    const bodies = await Promise.all(files.values())
    const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).byteLength, 0)
    return { kilobytes: bytes / 1_000, files: bodies.length }
  })

async function paintRow({ context }: SignedIn, pages: Pages): Promise<Row> {
  const [ours, bare]: [number[], number[]] = [[], []]
  // The first one fills the browser's cache of compiled code.
  for (let round = -1; round < rounds; round++) {
    const took = [
      await fresh(context, (page) => paintedMs(page, pages.ours, 'main h1')),
      await fresh(context, (page) => paintedMs(page, pages.bare, 'main h1')),
    ] as const
    if (round < 0) continue
    ours.push(took[0])
    bare.push(took[1])
  }
  const painted = median(ours)
  return {
    claim: 'first page of the dashboard: until it is painted, median',
    measured: `${painted.toFixed(0)} ms`,
    yardstick: `${median(bare).toFixed(0)} ms for the smallest page with React`,
    ratio: (painted / median(bare)).toFixed(1),
    target: `≤ ${mostPaintedMs} ms`,
    verdict: verdict(painted <= mostPaintedMs),
  }
}

async function fresh<Result>(
  context: SignedIn['context'],
  measured: (page: Page) => Promise<Result>,
): Promise<Result> {
  const page = await context.newPage()
  try {
    return await measured(page)
  } finally {
    await page.close()
  }
}

async function lighthouseRows({ context }: SignedIn, { ours, bare: yardstick }: Pages): Promise<Row[]> {
  if (!existsSync(lighthouse)) return []
  const cookies = await context.cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const pages = { 'sign-in page': {}, 'first page': { Cookie: cookie } }
  const bare = await scoresOf(yardstick, {})
  const rows: Row[] = []
  for (const [name, headers] of Object.entries(pages)) {
    const scores = await scoresOf(ours, headers)
    for (const category of ['performance', 'accessibility'] as const)
      rows.push({
        claim: `${name} of the dashboard: Lighthouse, ${category}`,
        measured: `${scores[category]} of 100`,
        yardstick: `${bare[category]} for the smallest page with React`,
        ratio: (scores[category] / bare[category]).toFixed(2),
        target: `≥ ${leastScore}`,
        verdict: verdict(scores[category] >= leastScore),
      })
  }
  return rows
}

type Scores = Record<'performance' | 'accessibility', number>

/** Lighthouse's scores by its preset for desktops: the dashboard is a tool for work. */
async function scoresOf(address: string, headers: object): Promise<Scores> {
  const options = [
    ...[address, '--quiet', '--output=json', '--preset=desktop'],
    ...['--only-categories=performance,accessibility', `--extra-headers=${JSON.stringify(headers)}`],
    '--chrome-flags=--headless --no-sandbox --disable-gpu',
  ]
  const child = spawn(process.execPath, [lighthouse, ...options], {
    env: { ...process.env, CHROME_PATH: '/usr/bin/chromium' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [report] = await Promise.all([text(child.stdout), once(child, 'exit')])
  const { categories } = JSON.parse(report) as { categories: Record<keyof Scores, { score: number }> }
  const scoreOf = (name: keyof Scores) => Math.round(categories[name].score * 100)
  return { performance: scoreOf('performance'), accessibility: scoreOf('accessibility') }
}

await printIfMain(import.meta.url, measure)
