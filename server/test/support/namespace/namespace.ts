// Starts a small internet in its own network namespace, isolated from the host in both directions.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generate } from 'selfsigned'
import type { GuardOptions } from '../../../src/platform/guard/guard.ts'
import {
  type Command,
  type CommandResult,
  canaryAddresses,
  publicAddresses,
  type RequestResult,
  type Turns,
  type World,
} from './commands.ts'

const inside = fileURLToPath(new URL('./inside.ts', import.meta.url))

/** A command line that runs the program in its own namespace. */
export const isolated = (...program: string[]): [string, string[]] => [
  'unshare',
  ['--mount', '--net', ...program],
]

export const canOpenNamespace = (): boolean =>
  spawnSync(...isolated('ip', 'link', 'set', 'lo', 'up')).status === 0

export interface Namespace {
  name(name: string, ...turns: Turns): Promise<void>
  /** 'ok', or the reason of the refusal. */
  inspect(url: string, options?: Partial<GuardOptions>): Promise<string>
  send(url: string, options?: Partial<GuardOptions>, timeoutMs?: number): Promise<RequestResult>
  sendOften(url: string, times: number): Promise<RequestResult[]>
  /** Concurrently; the URLs in the order of completion. */
  race(urls: string[], timeoutMs: number): Promise<string[]>
  /** With redirects followed; the status or the error. */
  fetch(url: string, options?: Partial<GuardOptions>): Promise<string>
  observe(): Promise<World>
  close(): Promise<void>
}

/** Every name below this domain has a certificate that the inner process trusts. */
export const domain = 'receiver.net'

export async function openNamespace(hosts: string): Promise<Namespace> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-namespace-'))
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }
  const { private: key, cert } = await makeCertificate()
  const certFile = await file('cert.pem', cert)
  const script = [
    'set -e',
    'ip link set lo up',
    ...[...publicAddresses, ...canaryAddresses]
      .filter((address) => address !== '127.0.0.1' && address !== '::1')
      .map((address) => `ip address add ${address}/${address.includes(':') ? 128 : 32} dev lo`),
    `mount --bind ${await file('resolv.conf', 'nameserver 127.0.0.1\n')} /etc/resolv.conf`,
    `mount --bind ${await file('hosts', hosts)} /etc/hosts`,
    'exec "$@"',
  ].join('\n')
  const program = [process.execPath, inside, await file('key.pem', key), certFile]
  const child = spawn(...isolated('sh', '-c', script, 'sh', ...program), {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: certFile },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await heardFrom(child)

  const strict: GuardOptions = { allowPrivate: false, trustedHosts: [] }
  const ask = async (command: Command): Promise<CommandResult> => {
    const answer = heardFrom(child)
    child.send(command)
    return answer
  }
  const sending = async (url: string, options: GuardOptions, times: number, timeoutMs: number) =>
    (await ask({ do: 'send', url, options, times, timeoutMs })) as RequestResult[]

  return {
    name: async (name, ...turns) => void (await ask({ do: 'name', name, turns })),
    inspect: async (url, options) =>
      (await ask({ do: 'inspect', url, options: { ...strict, ...options } })) as string,
    async send(url, options, timeoutMs = 30_000) {
      const [outcome] = await sending(url, { ...strict, ...options }, 1, timeoutMs)
      if (!outcome) throw new Error('nothing was sent')
      return outcome
    },
    sendOften: (url, times) => sending(url, strict, times, 30_000),
    race: async (urls, timeoutMs) =>
      (await ask({ do: 'race', urls, options: strict, timeoutMs })) as string[],
    fetch: async (url, options) =>
      (await ask({ do: 'fetch', url, options: { ...strict, ...options } })) as string,
    observe: async () => (await ask({ do: 'observe' })) as World,
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.disconnect()
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

const heardFrom = (child: ChildProcess): Promise<CommandResult> =>
  new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`the namespace ended with ${code}`))
    child.once('exit', onExit)
    child.once('message', (answer: CommandResult) => {
      child.off('exit', onExit)
      resolve(answer)
    })
  })

const makeCertificate = () =>
  generate([{ name: 'commonName', value: domain }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: `*.${domain}` },
          ...[...publicAddresses, ...canaryAddresses].map((ip) => ({ type: 7 as const, ip })),
        ],
      },
    ],
  })
