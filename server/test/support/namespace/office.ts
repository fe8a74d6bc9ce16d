// An office behind a firewall: two network namespaces, a firewall connected to this machine, and behind it one that
// runs a browser. This machine's interface to them disappears with the process that opened the office.
//
//   office .6 ── .5 firewall .2 ── .1 this machine
import { execFile, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isolated } from './namespace.ts'

const run = promisify(execFile)

/** `vanishes`: dropped on the way, as by a firewall. `is refused`: rejected locally, as by the machine's own rules. */
export type Udp = 'passes' | 'vanishes' | 'is refused'

export interface Office {
  /** The address of this machine, seen from inside. */
  readonly address: string
  /** A program that starts Chromium inside. */
  readonly chromium: string
  setUdp(udp: Udp): Promise<void>
  /** Which protocols reach this machine from inside. */
  carries(): Promise<{ tcp: boolean; udp: boolean }>
  close(): Promise<void>
}

/** Requires `canOpenNamespace`. */
export async function openOffice(): Promise<Office> {
  const [firewall, office] = [await openSpace(), await openSpace()]
  const [wire, host] = [`parley${process.pid}`, addressesOf(process.pid)]
  await sh(`ip link add name ${wire} type veth peer name out netns ${firewall.pid}
    ip address add ${host(1)}/30 dev ${wire}
    ip link set ${wire} up
    ip route add ${host(4)}/30 via ${host(2)}`)
  await firewall.sh(`ip link add name in type veth peer name wire netns ${office.pid}
    ip address add ${host(2)}/30 dev out
    ip address add ${host(5)}/30 dev in
    ip link set out up
    ip link set in up
    echo 1 >/proc/sys/net/ipv4/ip_forward`)
  await office.sh(`ip link set lo up
    ip address add ${host(6)}/30 dev wire
    ip link set wire up
    ip route add default via ${host(5)}`)
  const folder = await mkdtemp(join(tmpdir(), 'parley-office-'))
  const chromium = join(folder, 'chromium')
  const starter = `#!/bin/sh\nexec nsenter --net=${office.path} /usr/bin/chromium "$@"\n`
  await writeFile(chromium, starter, { mode: 0o755 })

  return {
    address: host(1),
    chromium,
    async setUdp(udp) {
      await firewall.sh('ip rule del pref 1 2>/dev/null || true')
      await office.sh('ip rule del pref 1 2>/dev/null || true')
      if (udp === 'vanishes') await firewall.sh('ip rule add pref 1 ipproto udp blackhole')
      if (udp === 'is refused') await office.sh('ip rule add pref 1 ipproto udp prohibit')
    },
    carries: () => carriedFrom(office, host(1)),
    async close() {
      await sh(`ip link delete ${wire}`)
      for (const space of [office, firewall]) await space.close()
      await rm(folder, { recursive: true })
    },
  }
}

export interface Space {
  readonly pid: number
  readonly path: string
  /** Returns the output of the script. */
  sh(script: string): Promise<string>
  close(): Promise<void>
}

/** A network namespace; exists as long as its inner process, which ends with this one. */
export async function openSpace(): Promise<Space> {
  const child = spawn(...isolated('sh', '-c', 'echo inside; exec cat'))
  const ended = once(child, 'exit')
  const opened = await Promise.race([once(child.stdout, 'data'), ended.then(() => undefined)])
  if (!opened || child.pid === undefined) throw new Error('No network namespace could be opened.')
  const path = `/proc/${child.pid}/ns/net`
  return {
    pid: child.pid,
    path,
    sh: (script) => sh(script, 'nsenter', `--net=${path}`),
    async close() {
      child.stdin.end()
      await ended
    },
  }
}

export async function sh(script: string, ...before: string[]): Promise<string> {
  const [program = '', ...args] = [...before, 'bash', '-ec', script]
  return (await run(program, args)).stdout
}

/** Eight addresses per process from 198.18.0.0/15, which is reserved for benchmarking. */
function addressesOf(pid: number): (host: number) => string {
  const first = (pid % 2 ** 14) * 8
  return (host) => `198.${18 + (first >> 16)}.${(first >> 8) & 255}.${(first & 255) + host}`
}

/** Sends a datagram, then opens a TCP connection whose answer says whether it arrived. */
async function carriedFrom(office: Space, address: string): Promise<{ tcp: boolean; udp: boolean }> {
  let answer = 'nothing'
  const datagrams = createSocket('udp4', () => (answer = 'a datagram'))
  // A datagram that arrives together with the connection counts too.
  const server = createServer((socket) => setImmediate(() => socket.end(answer)))
  datagrams.bind(0, address)
  server.listen(0, address)
  await Promise.all([once(datagrams, 'listening'), once(server, 'listening')])
  const [udpPort, tcpPort] = [datagrams.address().port, (server.address() as AddressInfo).port]
  const told = await office
    .sh(`echo >/dev/udp/${address}/${udpPort} || true; timeout 10 cat </dev/tcp/${address}/${tcpPort}`)
    .catch(() => '')
  datagrams.close()
  server.close()
  return { tcp: told !== '', udp: told === 'a datagram' }
}
