// HAProxy in front of the processes that answer requests, as a company runs it: HAProxy asks each process for /readyz, and
// sends a request that one process could not take to another.
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onExit } from '../bench/cleanup-on-exit.ts'
import { freePort } from '../bench/service-process.ts'

export const noHaproxy = spawnSync('/usr/sbin/haproxy', ['-v']).error ? 'haproxy is not installed' : undefined

export interface Balancer {
  readonly url: string
  stop(): void
}

// A request is repeated only if the process closed the connection without an answer. Every POST has its idempotency key.
const config = (port: number, ports: readonly number[]) => `
defaults
    mode http
    timeout connect 2s
    timeout client 60s
    timeout server 60s
    # A process on a busy machine is slow, not away; one that is away or draining says so at once.
    timeout check 20s
    retries 5
    option redispatch 1
    retry-on conn-failure empty-response

listen api
    bind 127.0.0.1:${port}
    option httpchk GET /readyz
    default-server check inter 200ms fall 1 rise 1 init-addr last
${ports.map((at) => `    server api-${at} 127.0.0.1:${at}`).join('\n')}
`

/** A process that does not answer yet gets no requests until it does. */
export async function startBalancer(folder: string, ports: readonly number[]): Promise<Balancer> {
  const port = await freePort()
  const file = join(folder, 'balancer.cfg')
  writeFileSync(file, config(port, ports))
  const child = spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  const cleanup = onExit(() => child.kill('SIGKILL'))
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      child.kill('SIGKILL')
      cleanup.cancel()
    },
  }
}
