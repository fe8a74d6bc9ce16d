// The telephone edge of deploy/edge/ on this machine: Kamailio and rtpengine as Debian installs them, at ports of their own.
//
//   callers ── 127.0.0.2 ── edge ── 127.0.0.1 ── workers
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { generate } from 'selfsigned'
import { ownPort } from '../../../support/own-ports.ts'
import { noKamailio } from '../kamailio/kamailio.ts'

/** What a test says that it needs; undefined if it is here. */
export const noEdge: string | undefined =
  noKamailio ??
  (spawnSync('rtpengine', ['--version']).error === undefined ? undefined : 'rtpengine is not installed')

export const edgeFolder = fileURLToPath(new URL('../../../../../deploy/edge/', import.meta.url))

export interface EdgeProcess {
  /** Where callers reach it. */
  readonly address: string
  readonly port: number
  readonly tlsPort: number
  /** Where workers do: PARLEY_SIP_EDGE. */
  readonly inside: { readonly address: string; readonly port: number }
  /** How `kamcmd` sees the workers. */
  workers(): string
  log(): string
  stop(): Promise<void>
}

export interface EdgeOptions {
  /** The SIP ports of the workers, all at 127.0.0.1. */
  readonly workers: readonly number[]
  readonly requestsPer2s?: number
  readonly callsPerSecond?: number
  /** Calls at once; rtpengine takes four ports for each. */
  readonly calls?: number
}

const [outside, inside] = ['127.0.0.2', '127.0.0.1']

export async function startEdge(options: EdgeOptions): Promise<EdgeProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-edge-'))
  const [port, tlsPort] = [await ownPort(), await ownPort()]
  const [insidePort, controlPort] = [await ownPort(), await ownPort()]
  const control = `unix:${join(folder, 'control')}`
  const firstRtp = 30_000 + (process.pid % 50) * 200
  const env = {
    EDGE_PUBLIC_ADDRESS: outside,
    EDGE_ADVERTISED_ADDRESS: outside,
    EDGE_SIP_PORT: String(port),
    EDGE_TLS_PORT: String(tlsPort),
    EDGE_PRIVATE_ADDRESS: inside,
    EDGE_PRIVATE_PORT: String(insidePort),
    EDGE_REQUESTS_PER_2S: String(options.requestsPer2s ?? 10_000),
    EDGE_CALLS_PER_SECOND: String(options.callsPerSecond ?? 1_000),
    EDGE_RTPENGINE: `udp:127.0.0.1:${controlPort}`,
    EDGE_DISPATCHER_LIST: join(folder, 'dispatcher.list'),
    EDGE_TLS_CONFIG: join(folder, 'tls.cfg'),
    EDGE_CONTROL_SOCKET: control,
  }
  await writeFiles(folder, options.workers)
  let output = ''
  const start = (command: string, args: readonly string[]): ChildProcess => {
    // It ends with the test, however that ends.
    const child = spawn('setpriv', ['--pdeathsig', 'TERM', command, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
    return child
  }
  const children = [
    start('rtpengine', [
      ...['-f', '-E', '--no-log-timestamps', '--config-file', join(edgeFolder, 'rtpengine.conf')],
      ...[`--interface=public/${outside}`, `--interface=private/${inside}`],
      ...[`--listen-ng=127.0.0.1:${controlPort}`, `--pidfile=${join(folder, 'rtpengine.pid')}`],
      ...[`--port-min=${firstRtp}`, `--port-max=${firstRtp + 4 * (options.calls ?? 100)}`],
    ]),
    start('kamailio', [
      ...['-f', join(edgeFolder, 'kamailio.cfg'), '-DD', '-E', '-m', '64', '-M', '8'],
      ...['-n', '2', '-N', '1', '-Y', folder, '-w', folder],
    ]),
  ]
  while (!(await answers(port))) {
    if (children.some(({ exitCode }) => exitCode !== null))
      throw new Error(`The edge did not start: ${output}`)
    await sleep(50)
  }
  return {
    address: outside,
    port,
    tlsPort,
    inside: { address: inside, port: insidePort },
    workers: () => String(spawnSync('kamcmd', ['-s', control, 'dispatcher.list']).stdout),
    log: () => output,
    async stop() {
      for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function writeFiles(folder: string, workers: readonly number[]): Promise<void> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: outside }], { keySize: 2048 })
  const tls = await readFile(join(edgeFolder, 'tls.cfg'), 'utf8')
  const list = workers.map((port) => `1 sip:${inside}:${port}\n`).join('')
  await Promise.all([
    writeFile(join(folder, 'tls.cfg'), tls.replaceAll(/\/etc\/(?:parley-edge\/tls|ssl\/certs)/g, folder)),
    // Every process of Kamailio reads the authorities; those of the system are seconds of work.
    writeFile(join(folder, 'ca-certificates.crt'), cert),
    writeFile(join(folder, 'cert.pem'), cert),
    writeFile(join(folder, 'key.pem'), key),
    writeFile(join(folder, 'dispatcher.list'), list),
  ])
}

/** Whatever it says to a request: it is there. */
async function answers(port: number): Promise<boolean> {
  const socket = createSocket('udp4').bind(0, '127.0.0.9')
  await once(socket, 'listening')
  const heard = Promise.withResolvers<boolean>()
  socket.on('message', () => heard.resolve(true)).on('error', () => heard.resolve(false))
  const request = [
    `OPTIONS sip:${outside} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.9:${socket.address().port};branch=z9hG4bK${Date.now()};rport`,
    ...['From: <sip:test@127.0.0.9>;tag=1', `To: <sip:${outside}>;tag=2`, `Call-ID: ${Date.now()}`],
    ...['CSeq: 1 OPTIONS', 'Max-Forwards: 70', 'Content-Length: 0', '', ''],
  ].join('\r\n')
  socket.send(request, port, outside)
  const found = await Promise.race([heard.promise, sleep(200, false)])
  socket.close()
  return found
}
