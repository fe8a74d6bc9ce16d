// Claim: the first page of the dashboard loads at most 150 kB of code and style, and Lighthouse gives it at least 95 of 100
// for performance and for accessibility.
//
// Lighthouse brings 180 MB of packages and is therefore no dependency: `npm install --prefix .toolchain lighthouse` puts
// it where this script looks for it. Without it there are the size and the time until the page is painted.
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

const mostKilobytes = 150
const leastScore = 95
const mostPaintedMs = 1_000
const rounds = 15
const lighthouse = fileURLToPath(
  new URL('../.toolchain/node_modules/lighthouse/cli/index.js', import.meta.url),
)

async function measure(): Promise<Row[]> {
  if (!canOpenBrowser()) return []
  const home = await makeHome()
  const service = await startService(home, {
    env: { PARLEY_ROLES: 'api', PARLEY_ADMIN_PASSWORD: adminPassword },
  })
  try {
    const signedIn = await signIn(home.url)
    try {
      const page = await signedIn.context.newPage()
      return [
        await sizeRow(page, home.url),
        await paintRow(signedIn, home.url),
        ...(await lighthouseRows(signedIn, home.url)),
      ]
    } finally {
      await signedIn.close()
    }
  } finally {
    await service.stop()
    await home.remove()
  }
}

/** Code and style as they are sent: those of the first page after the sign-in. */
async function sizeRow(page: Page, url: string): Promise<Row> {
  const files = new Map<string, Promise<Buffer>>()
  page.on('response', (response) => {
    if (/\.(js|css)$/.test(new URL(response.url()).pathname)) files.set(response.url(), response.body())
  })
  await page.goto(`${url}/dashboard/`)
  await page.getByRole('heading', { name: 'Agents', exact: true }).waitFor()
  const bodies = await Promise.all([...files].map(async ([at, body]) => [at, await body] as const))
  const kilobytes = (bytes: number) => bytes / 1_000
  const sent = kilobytes(bodies.reduce((sum, [, body]) => sum + gzipSync(body).byteLength, 0))
  const library = bodies.filter(([at]) => /react-dom|jsx-runtime/.test(at))
  const yardstick = kilobytes(library.reduce((sum, [, body]) => sum + gzipSync(body).byteLength, 0))
  return {
    claim: 'first page of the dashboard: code and style, gzip',
    measured: `${sent.toFixed(1)} kB in ${bodies.length} files`,
    yardstick: `${yardstick.toFixed(1)} kB for React alone`,
    ratio: (sent / yardstick).toFixed(1),
    target: `≤ ${mostKilobytes} kB`,
    verdict: verdict(sent <= mostKilobytes),
  }
}

async function paintRow({ context }: SignedIn, url: string): Promise<Row> {
  const [ours, bare]: [number[], number[]] = [[], []]
  // The first one fills the browser's cache of compiled code.
  for (let round = -1; round < rounds; round++) {
    const took = [
      await fresh(context, (page) => paintedMs(page, `${url}/dashboard/`, 'main h1')),
      await fresh(context, (page) => paintedMs(page, `${url}/docs/guide`, 'main')),
    ] as const
    if (round < 0) continue
    ours.push(took[0])
    bare.push(took[1])
  }
  const painted = median(ours)
  return {
    claim: 'first page of the dashboard: until it is painted, median',
    measured: `${painted.toFixed(0)} ms`,
    yardstick: `${median(bare).toFixed(0)} ms for a page of text without code`,
    ratio: (painted / median(bare)).toFixed(1),
    target: `≤ ${mostPaintedMs} ms`,
    verdict: verdict(painted <= mostPaintedMs),
  }
}

async function fresh(
  context: SignedIn['context'],
  measured: (page: Page) => Promise<number>,
): Promise<number> {
  const page = await context.newPage()
  try {
    return await measured(page)
  } finally {
    await page.close()
  }
}

async function lighthouseRows({ context }: SignedIn, url: string): Promise<Row[]> {
  if (!existsSync(lighthouse)) return []
  const cookies = await context.cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const pages = { 'sign-in page': {}, 'first page': { Cookie: cookie } }
  const bare = await scoresOf(`${url}/docs/guide`, {})
  const rows: Row[] = []
  for (const [name, headers] of Object.entries(pages)) {
    const scores = await scoresOf(`${url}/dashboard/`, headers)
    for (const category of ['performance', 'accessibility'] as const)
      rows.push({
        claim: `${name} of the dashboard: Lighthouse, ${category}`,
        measured: `${scores[category]} of 100`,
        yardstick: `${bare[category]} for a page of text without code`,
        ratio: (scores[category] / bare[category]).toFixed(2),
        target: `≥ ${leastScore}`,
        verdict: verdict(scores[category] >= leastScore),
      })
  }
  return rows
}

type Scores = Record<'performance' | 'accessibility', number>

/** By its preset for desktops: the dashboard is a tool for work. */
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
