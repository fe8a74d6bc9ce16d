// Runs a scenario of sipp, a program that we did not write, against a user agent of ours.
import { spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a test says that it needs; undefined if it is here. */
export const noSipp: string | undefined =
  spawnSync('sipp', ['-v']).error === undefined ? undefined : 'sipp (sip-tester) is not installed'

export interface SippRun {
  /** `late-offer` of scenarios/, or one that sipp has by itself: `uac`, `uas`. */
  readonly scenario: string
  /** Where it calls; left out for scenarios that are called. */
  readonly to?: number
  readonly user?: string
  readonly port?: number
  readonly calls?: number
  readonly more?: readonly string[]
}

const ofItsOwn = new Set(['uac', 'uas', 'regexp', 'branchc'])
const fileOf = (name: string) => fileURLToPath(new URL(`./scenarios/${name}.xml`, import.meta.url))

/** Resolves with what went wrong; null if every call was as the scenario wants it. */
export async function sipp({
  scenario,
  to,
  user = 'agent',
  port,
  calls = 1,
  more = [],
}: SippRun): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-sipp-'))
  const what = ofItsOwn.has(scenario) ? ['-sn', scenario] : ['-sf', fileOf(scenario)]
  const own = [
    '-i',
    '127.0.0.1',
    '-m',
    String(calls),
    '-s',
    user,
    '-nostdin',
    '-trace_err',
    ...(port ? ['-p', String(port)] : []),
  ]
  // Only what would never end takes as long, on the busiest machine.
  const limits = ['-timeout', '300s', '-timeout_error']
  const child = spawn('sipp', [...what, ...own, ...limits, ...more, ...(to ? [`127.0.0.1:${to}`] : [])], {
    cwd: folder,
    stdio: 'ignore',
  })
  try {
    const [code] = await once(child, 'exit')
    return code === 0 ? null : `${scenario} ended with ${code}: ${await errorsIn(folder)}`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function errorsIn(folder: string): Promise<string> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('_errors.log'))
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  // Answers that come again after a call is over are no failures, and sipp lists them with those that are.
  const events = texts.join('').split(/^(?=\d{4}-\d\d-\d\d\t)/m)
  return events
    .filter((event) => !/Dead call/.test(event))
    .join('')
    .slice(0, 3_000)
}

/** A UDP port that was free a moment ago. */
export async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}
