// Kamailio as registrar and proxy, with a folder and ports of its own.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generate } from 'selfsigned'

const modules = existsSync('/usr/lib')
  ? ['/usr/lib', ...readdirSync('/usr/lib').map((name) => `/usr/lib/${name}`)]
      .map((folder) => `${folder}/kamailio/modules`)
      .find((folder) => existsSync(`${folder}/tls.so`))
  : undefined

/** What a test says that it needs; undefined if it is here. */
export const noKamailio: string | undefined =
  modules !== undefined && spawnSync('kamailio', ['-v']).error === undefined
    ? undefined
    : 'kamailio and kamailio-tls-modules are not installed'

export interface Kamailio {
  readonly port: number
  readonly tlsPort: number
  /** Its certificate, which vouches for itself, and the key: the user agents of a test have the same. */
  readonly cert: string
  readonly key: string
  /** Without a word to anybody, and forgets who is registered. */
  kill(): Promise<void>
  /** At the same ports. */
  start(): Promise<void>
  stop(): Promise<void>
}

export async function startKamailio(): Promise<Kamailio> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-kamailio-'))
  const [port, tlsPort] = await Promise.all([freePort(), freePort()])
  const { cert, private: key } = await certificate()
  const template = await readFile(new URL('./kamailio.cfg', import.meta.url), 'utf8')
  const config = template
    .replaceAll('TLS_PORT', String(tlsPort))
    .replaceAll('PORT', String(port))
    .replaceAll('FOLDER', folder)
    .replaceAll('MODULES', modules ?? '')
  await Promise.all([
    writeFile(join(folder, 'kamailio.cfg'), config),
    writeFile(join(folder, 'cert.pem'), cert),
    writeFile(join(folder, 'key.pem'), key),
  ])
  const options = [
    '-f',
    join(folder, 'kamailio.cfg'),
    '-DD',
    '-E',
    '-m',
    '32',
    '-M',
    '4',
    '-Y',
    folder,
    '-w',
    folder,
  ]
  let child = await started(options, tlsPort)
  return {
    port,
    tlsPort,
    cert,
    key,
    async kill() {
      // Its workers, which hold the connections, are a group with it.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      await once(child, 'exit')
    },
    async start() {
      child = await started(options, tlsPort)
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function started(options: readonly string[], tlsPort: number): Promise<ChildProcess> {
  // It ends with the test, however that ends.
  const held = ['--pdeathsig', 'TERM', 'kamailio', ...options]
  const child = spawn('setpriv', held, { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  while (!(await isListening(tlsPort))) {
    if (child.exitCode !== null) throw new Error(`Kamailio did not start: ${errors}`)
    await sleep(50)
  }
  return child
}

const certificate = () =>
  generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keySize: 2048,
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  })

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return address && typeof address === 'object' ? address.port : 0
}

function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  }).then((found) => {
    socket.destroy()
    return found === true
  })
}
