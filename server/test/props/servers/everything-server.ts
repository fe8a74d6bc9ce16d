// The reference server of the Model Context Protocol, from npm, as a process of its own on a free port.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'

export interface EverythingServer {
  readonly url: string
  /** How many requests it has taken since it was started. */
  readonly taken: number
  /** Stops the server as a crash would. */
  kill(): Promise<void>
  /** Starts the server again on the same port, without its sessions. */
  start(): Promise<void>
  close(): Promise<void>
}

const program = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
)

export async function openEverythingServer(): Promise<EverythingServer> {
  const port = await freePort()
  let child: ChildProcess | undefined
  let taken = 0
  const start = async () => {
    const env = { ...process.env, PORT: String(port) }
    const started = spawn(process.execPath, [program, 'streamableHttp'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    taken = 0
    started.stdout?.on('data', (chunk) => {
      taken += String(chunk).split('Received MCP POST request').length - 1
    })
    let told = ''
    await new Promise<void>((resolve, reject) => {
      started.stderr?.on('data', (chunk) => {
        told += chunk
        if (told.includes('listening on port')) resolve()
      })
      started.once('exit', () => reject(new Error(`the reference server did not start: ${told}`)))
    })
  }
  const kill = async () => {
    const ended = child
    child = undefined
    if (!ended || ended.exitCode !== null) return
    ended.kill('SIGKILL')
    await once(ended, 'exit')
  }
  await start()
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    kill,
    start,
    close: kill,
    get taken() {
      return taken
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
