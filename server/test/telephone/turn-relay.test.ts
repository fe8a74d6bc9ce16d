// The relay for browsers, coturn as deploy/edge/ configures it, with the credentials that a web call comes with.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { iceServersFor } from '../../src/resources/calls/queue/turn-credentials.ts'
import { edgeFolder } from '../props/sip/edge/edge-process.ts'
import { describeUnless } from '../props/unless.ts'
import { ownPort } from '../support/own-ports.ts'

const absent = spawnSync('turnutils_uclient').error === undefined ? undefined : 'coturn is not installed'
const relay = { urls: ['turn:127.0.0.1:3478'], secret: 'a secret of sixteen letters' }
// A worker, and what else is in the operator's network.
const [worker, other] = ['127.0.0.11', '127.0.0.12']

describeUnless(absent, 'the relay for browsers', () => {
  let folder: string
  let ports: { plain: number; tls: number; peer: number }
  let log = ''
  const children: ChildProcess[] = []

  const start = (command: string, args: readonly string[]) => {
    const child = spawn('setpriv', ['--pdeathsig', 'TERM', command, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (log += chunk))
    children.push(child)
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-turn-'))
    ports = { plain: await ownPort(), tls: await ownPort(), peer: await ownPort() }
    const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
      keySize: 2048,
    })
    await writeFile(join(folder, 'cert.pem'), cert)
    await writeFile(join(folder, 'key.pem'), key)
    const config = await readFile(join(edgeFolder, 'turnserver.conf'), 'utf8')
    const file = join(folder, 'turnserver.conf')
    await writeFile(
      file,
      config
        .replace(/^(listening-port)=.*/m, `$1=${ports.plain}`)
        .replace(/^(tls-listening-port)=.*/m, `$1=${ports.tls}`)
        .replace(/^(allowed-peer-ip)=.*/m, `$1=${worker}`)
        .replaceAll('/etc/parley-edge/tls', folder),
    )
    start('turnserver', [
      ...[
        '-c',
        file,
        '--pidfile=',
        '--listening-ip=127.0.0.1',
        '--relay-ip=127.0.0.1',
        '--allow-loopback-peers',
      ],
      ...[
        '--realm=parley.test',
        `--static-auth-secret=${relay.secret}`,
        `--userdb=${join(folder, 'turndb')}`,
      ],
    ])
    for (const address of [worker, other]) start('turnutils_peer', ['-L', address, '-p', String(ports.peer)])
    await vi.waitFor(() => expect(log).toMatch(/admin thread/), { timeout: 150_000 })
  })
  afterAll(async () => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await rm(folder, { recursive: true, force: true })
  })

  /** What a client says that sends five messages to the peer through the relay. */
  const send = (
    way: readonly string[],
    port: number,
    peer: string,
    secret = relay.secret,
  ): Promise<string> => {
    const [server] = iceServersFor({ ...relay, secret }, 'a-session', new Date())
    const args = [
      ...[...way, '-u', server?.username ?? '', '-w', server?.credential ?? '', '-p', String(port)],
      ...['-e', peer, '-r', String(ports.peer), '-n', '5', '-m', '1', '-c', '-X', '127.0.0.1'],
    ]
    return new Promise((resolve) => {
      execFile('timeout', ['20', 'turnutils_uclient', ...args], (_, stdout, stderr) =>
        resolve(stdout + stderr),
      )
    })
  }

  it('carries what comes by UDP to a worker and back', async () => {
    expect(await send([], ports.plain, worker)).toMatch(/tot_recv_msgs=5\b/)
  })

  it('carries what comes by TCP', async () => {
    expect(await send(['-t'], ports.plain, worker)).toMatch(/tot_recv_msgs=5\b/)
  })

  it('carries what comes by TLS', async () => {
    // The client does not finish the handshake of its own TLS; ours carries its TCP.
    const tunnel = createServer((plain) => {
      const secure = connect({ host: '127.0.0.1', port: ports.tls, rejectUnauthorized: false })
      for (const socket of [plain, secure]) socket.on('error', () => {})
      plain.pipe(secure).pipe(plain)
    }).listen(0, '127.0.0.1')
    await once(tunnel, 'listening')
    const { port } = tunnel.address() as AddressInfo
    expect(await send(['-t'], port, worker)).toMatch(/tot_recv_msgs=5\b/)
    tunnel.close()
  })

  it('leads nowhere but to the workers', async () => {
    expect(await send([], ports.plain, other)).not.toMatch(/tot_recv_msgs=[1-9]/)
  })

  it('lets nobody in who has a credential of another secret', async () => {
    expect(await send([], ports.plain, worker, 'a secret of somebody else')).not.toMatch(
      /tot_recv_msgs=[1-9]/,
    )
  })
})
