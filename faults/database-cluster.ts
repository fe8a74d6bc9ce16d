// Three database machines on a switch, with HAProxy and PgBouncer in front of them.
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { onExit } from '../bench/cleanup-on-exit.ts'
import { DatabaseNode, databasePassword, run } from './database-node.ts'
import { type DatabaseUrls, startProxies } from './database-proxies.ts'

// The start from nothing: three etcds, a new database and two copies of it.
const startTimeoutMs = 180_000
const pollMs = 250

export interface Cluster {
  readonly urls: DatabaseUrls
  /** The primary as the other nodes see it; undefined while there is none. */
  leader(not?: DatabaseNode): Promise<DatabaseNode | undefined>
  /** The service's own database on the primary. */
  leaderUrl(): Promise<string>
  /** Resolves when all three are in step, and one of them has every commit. */
  whenWhole(): Promise<void>
  /** What etcd, Patroni and PostgreSQL have said, to find out how something was lost. */
  keepLogs(folder: string): void
  end(): void
}

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
  /** The timeline of the node, whose number grows with every failover; absent while the node starts. */
  readonly timeline?: number
}

const inStep = (state: string) => state === 'running' || state === 'streaming'

export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-cluster-'))
  chmodSync(folder, 0o755)
  const { nodes, removeNetwork } = lay(folder)
  const end = () => {
    for (const node of nodes) node.end()
    removeNetwork()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const cleanup = onExit(end)

  const members = async (except?: DatabaseNode): Promise<readonly Member[]> => {
    for (const node of nodes.filter((one) => one !== except)) {
      const cluster = await clusterSeenBy(node)
      if (cluster.length > 0) return cluster
    }
    return []
  }
  const leader: Cluster['leader'] = async (not) => {
    const member = (await members(not)).find(({ role, state }) => role === 'leader' && inStep(state))
    return nodes.find(({ name }) => name === member?.name && name !== not?.name)
  }
  // Each node is asked itself: what the others say of one that was cut off is as old as its last message.
  const isWhole = async () => {
    const seen = await members()
    const first = await leader()
    if (!first || !seen.some(({ role }) => role === 'sync_standby')) return false
    // A node that has not reached the new timeline yet could not follow another primary either, and would have to be set up anew.
    if (new Set(seen.map(({ timeline }) => timeline)).size > 1 || !seen.every(({ state }) => inStep(state)))
      return false
    const roles = nodes.map((node) => answersAs(node, node === first ? 'primary' : 'replica'))
    return seen.length === nodes.length && (await Promise.all(roles)).every(Boolean)
  }
  const whenWhole = async () => {
    const giveUpAt = Date.now() + startTimeoutMs
    for (;;) {
      if (await isWhole()) return
      if (Date.now() > giveUpAt) throw new Error(`the cluster is not whole:\n${logsOf(nodes)}`)
      await sleep(pollMs)
    }
  }

  try {
    for (const node of nodes) node.startEtcd()
    for (const node of nodes) node.startPatroni()
    await whenWhole()
    await makeDatabase((await leader())?.plan.address ?? '')
    const urls = await startProxies(
      folder,
      nodes.map(({ plan }) => plan.address),
    )
    return {
      urls,
      leader,
      whenWhole,
      async leaderUrl() {
        const address = (await leader())?.plan.address
        if (address === undefined) throw new Error('there is no primary')
        return `postgresql://parley:${encodeURIComponent(databasePassword)}@${address}:5432/parley`
      },
      keepLogs(to) {
        mkdirSync(to, { recursive: true })
        for (const { plan } of nodes)
          for (const log of logNames)
            copyFileSync(join(plan.folder, `${log}.log`), join(to, `${plan.name}-${log}.log`))
      },
      end() {
        cleanup.cancel()
        end()
      },
    }
  } catch (error) {
    cleanup.cancel()
    end()
    throw error
  }
}

async function clusterSeenBy({ plan }: DatabaseNode): Promise<readonly Member[]> {
  try {
    const response = await fetch(`http://${plan.address}:8008/cluster`, {
      signal: AbortSignal.timeout(1_500),
    })
    return ((await response.json()) as { members?: Member[] }).members ?? []
  } catch {
    return []
  }
}

const answersAs = ({ plan }: DatabaseNode, role: 'primary' | 'replica'): Promise<boolean> =>
  fetch(`http://${plan.address}:8008/${role}`, { signal: AbortSignal.timeout(1_500) }).then(
    ({ ok }) => ok,
    () => false,
  )

async function makeDatabase(host: string): Promise<void> {
  const client = new pg.Client({ host, user: 'postgres', password: databasePassword, database: 'postgres' })
  await client.connect()
  await client.query(`CREATE ROLE parley LOGIN PASSWORD ${pg.escapeLiteral(databasePassword)}`)
  await client.query('CREATE DATABASE parley OWNER parley')
  await client.end()
}

/** A namespace for each node, and a bridge that all of them and we are on. */
function lay(folder: string): { nodes: DatabaseNode[]; removeNetwork(): void } {
  const id = process.pid % 10_000
  const network = `10.${200 + (id % 50)}.${id % 250}`
  const bridge = `pdb${id}`
  const names = ['pg1', 'pg2', 'pg3']
  const addresses = Object.fromEntries(names.map((name, at) => [name, `${network}.${at + 1}`]))
  run('ip', 'link', 'add', bridge, 'type', 'bridge')
  run('ip', 'addr', 'add', `${network}.254/24`, 'dev', bridge)
  run('ip', 'link', 'set', bridge, 'up')
  const nodes = names.map((name, at) => {
    const [namespace, port] = [`parley-${id}-${name}`, `pd${at}x${id}`]
    run('ip', 'netns', 'add', namespace)
    run('ip', 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
    run('ip', 'link', 'set', port, 'master', bridge, 'up')
    const inside = (...args: string[]) => run('ip', '-n', namespace, ...args)
    inside('link', 'set', 'lo', 'up')
    inside('addr', 'add', `${addresses[name]}/24`, 'dev', 'eth0')
    inside('link', 'set', 'eth0', 'up')
    const address = addresses[name] ?? ''
    return new DatabaseNode({ name, address, addresses, namespace, port, folder: join(folder, name) })
  })
  return {
    nodes,
    removeNetwork() {
      for (const { plan } of nodes) run('ip', 'netns', 'del', plan.namespace)
      run('ip', 'link', 'del', bridge)
    },
  }
}

const logNames = ['etcd', 'patroni']

const logsOf = (nodes: readonly DatabaseNode[]): string =>
  nodes
    .flatMap(({ plan }) =>
      logNames.map((log) => {
        const text = readFileSync(join(plan.folder, `${log}.log`), 'utf8')
        return `${plan.name} ${log}: ${text.split('\n').slice(-8).join('\n')}`
      }),
    )
    .join('\n')
