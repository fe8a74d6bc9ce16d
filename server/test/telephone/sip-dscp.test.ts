// DSCP marks, by the nftables of Debian in a network namespace, as tcpdump sees them on its wire.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runParley } from '../../src/cli/parley.ts'
import { describeUnless } from '../props/unless.ts'
import { canOpenNamespace } from '../support/namespace/namespace.ts'
import { openSpace, type Space } from '../support/namespace/office.ts'

const absent = canOpenNamespace() ? undefined : 'only root can open network namespaces'
const root = new URL('../../../', import.meta.url)
const sender = fileURLToPath(new URL('../props/sip/send-everything.ts', import.meta.url))
const settings = { PARLEY_SIP_PORT: '5070', PARLEY_RTP_PORTS: '20000-20009' }
const env = Object.entries(settings)
  .map(([name, value]) => `${name}=${value}`)
  .join(' ')
const [unmarked, ef, cs3] = ['0x0', '0xb8', '0x60']

/** What a packet is, by the port that it comes from or goes to. */
const kinds = [
  ['RTP', '20000', null],
  ['RTCP', '20001', null],
  ['SIP', '5070', null],
  ['SIP to a trunk', null, '5061'],
  ['another program', null, '19'],
] as const
const marked = {
  'RTP, UDP 127.0.0.1': ef,
  'RTP, UDP ::1': ef,
  'RTCP, UDP 127.0.0.1': ef,
  'RTCP, UDP ::1': ef,
  'SIP, UDP 127.0.0.1': cs3,
  'SIP, UDP ::1': cs3,
  'SIP, TCP 127.0.0.1': cs3,
  'SIP, TCP ::1': cs3,
  'SIP to a trunk, TCP 127.0.0.1': cs3,
  'SIP to a trunk, TCP ::1': cs3,
  'another program, UDP 127.0.0.1': unmarked,
}

async function trunkDscp(env: Record<string, string>) {
  const [printed, refused] = [[] as string[], [] as string[]]
  const terminal = {
    env,
    stdin: process.stdin,
    stdout: { write: (text: string) => printed.push(text) },
    stderr: { write: (text: string) => refused.push(text) },
    exitCode: 0,
  }
  await runParley(['trunk', 'dscp'], terminal)
  return { rules: printed.join(''), refusal: refused.join(''), code: terminal.exitCode }
}

it.each([
  [{}, 'PARLEY_SIP_PORT is not set'],
  [{ PARLEY_SIP_PORT: '0' }, 'PARLEY_SIP_PORT is 0'],
])('are not made up where there is no port to know packets by: %o', async (env, refusal) => {
  expect(await trunkDscp(env)).toEqual({ rules: '', refusal: expect.stringContaining(refusal), code: 1 })
})

describeUnless(absent, 'packets of a telephone line', () => {
  let space: Space
  let sniffer: ChildProcess
  let seen = ''

  beforeAll(async () => {
    space = await openSpace()
    await space.sh('ip link set lo up')
    const dump = ['tcpdump', '-Z', 'root', '-lnv', '--immediate-mode', '-i', 'lo', 'udp or tcp']
    sniffer = spawn('nsenter', [`--net=${space.path}`, ...dump], { stdio: ['ignore', 'pipe', 'pipe'] })
    sniffer.stdout?.on('data', (text) => (seen += text))
    if (sniffer.stderr) await once(sniffer.stderr, 'data')
  })
  afterAll(async () => {
    sniffer?.kill()
    await space?.close()
  })

  /** The marks of what the program sends, and of what others on this machine do. */
  async function marks(): Promise<Record<string, string>> {
    seen = ''
    await space.sh(`${env} ${process.execPath} ${sender}; echo >/dev/udp/127.0.0.1/19`)
    await expect.poll(() => seen).toContain('> 127.0.0.1.19: ')
    const packets = seen.split(/\n(?=\d\d:)/).flatMap((packet) => {
      const parts = /(UDP|TCP) \(.*\)\s+([\d.:]+)\.(\d+) > [\d.:]+\.(\d+): /.exec(packet)
      const [, protocol, address, from, to] = parts ?? []
      const kind = kinds.find(([, ours, theirs]) => ours === from || theirs === to)?.[0]
      // A packet of IPv6 without a mark is printed without `class`.
      const mark = /^[^\n]*?(?:tos|class) (0x\w+)/.exec(packet)?.[1] ?? unmarked
      return kind && from !== undefined ? [[`${kind}, ${protocol} ${address}`, mark] as const] : []
    })
    return Object.fromEntries(packets)
  }

  /** Runs what systemd would, with the settings of the installation. */
  async function asInUnit(key: 'ExecStart' | 'ExecStop'): Promise<void> {
    const unit = await readFile(new URL('deploy/systemd/parley-dscp.service', root), 'utf8')
    const command = new RegExp(`^${key}=-?(.*)$`, 'm').exec(unit)?.[1]?.replaceAll('$$', '$')
    await space.sh(`cd ${fileURLToPath(root)}; export ${env}; ${command}`)
  }

  it('have none without the rules; with them sound is EF, SIP is CS3, and the rest as it was', async () => {
    const before = await marks()
    expect(Object.keys(before).toSorted()).toEqual(Object.keys(marked).toSorted())
    expect(new Set(Object.values(before))).toEqual(new Set([unmarked]))

    await asInUnit('ExecStart')
    // Loaded again, they replace those that are there.
    await space.sh(`nft -f - <<'RULES'\n${(await trunkDscp(settings)).rules}RULES`)
    expect(await marks()).toEqual(marked)
    await asInUnit('ExecStop')
    expect(await space.sh('nft list ruleset')).toBe('')
  })
})
