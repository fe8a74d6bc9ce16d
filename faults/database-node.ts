// One of the database machines: a network namespace with etcd, Patroni and PostgreSQL, set up by the files in
// deploy/database. Needs root and Debian's packages.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const databasePassword = 'for disasters only'

const patroniFile = readFileSync(new URL('../deploy/database/patroni.yaml', import.meta.url), 'utf8')
const shipped = (name: string) =>
  Object.fromEntries(
    readFileSync(new URL(`../deploy/database/${name}`, import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => /^[A-Z0-9_]+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

export const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/** Why a cluster cannot be set up on this machine; undefined if it can. */
export function whatIsMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can open network namespaces'
  const programs = [
    'patroni',
    'etcd',
    'haproxy',
    '/usr/sbin/pgbouncer',
    '/usr/lib/postgresql/15/bin/postgres',
  ]
  const absent = programs.filter((program) => {
    try {
      run('which', program)
      return false
    } catch {
      return true
    }
  })
  return absent.length > 0 ? `not installed: ${absent.join(', ')}` : undefined
}

export interface NodePlan {
  readonly name: string
  readonly address: string
  /** The addresses of all nodes, by name. */
  readonly addresses: Readonly<Record<string, string>>
  readonly namespace: string
  /** The end of its cable on the switch. */
  readonly port: string
  readonly folder: string
}

export class DatabaseNode {
  readonly plan: NodePlan
  #patroni: ChildProcess | undefined

  constructor(plan: NodePlan) {
    this.plan = plan
    mkdirSync(plan.folder, { recursive: true })
    const [uid = 0, gid = 0] = [run('id', '-u', 'postgres'), run('id', '-g', 'postgres')].map(Number)
    chownSync(plan.folder, uid, gid)
  }

  get name(): string {
    return this.plan.name
  }

  startEtcd(): void {
    const { name, address, addresses, folder } = this.plan
    const peers = Object.entries(addresses).map(([of, at]) => `${of}=http://${at}:2380`)
    this.#start('etcd', ['etcd'], {
      ...shipped('etcd.env'),
      ETCD_NAME: name,
      ETCD_DATA_DIR: join(folder, 'etcd'),
      ETCD_LISTEN_PEER_URLS: `http://${address}:2380`,
      ETCD_LISTEN_CLIENT_URLS: `http://${address}:2379`,
      ETCD_INITIAL_ADVERTISE_PEER_URLS: `http://${address}:2380`,
      ETCD_ADVERTISE_CLIENT_URLS: `http://${address}:2379`,
      ETCD_INITIAL_CLUSTER: peers.join(),
      ETCD_UNSUPPORTED_ARCH: process.arch,
    })
  }

  startPatroni(): void {
    const { name, address, addresses, folder } = this.plan
    const config = join(folder, 'patroni.yaml')
    // The nodes share one file system.
    const sockets = `  parameters:\n    unix_socket_directories: ${folder}\n`
    writeFileSync(config, patroniFile.replace(/^ {2}parameters:\n/m, sockets))
    this.#patroni = this.#start('patroni', ['patroni', config], {
      ...shipped('node.env'),
      PATRONI_NAME: name,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `${address}:8008`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${address}:5432`,
      PATRONI_POSTGRESQL_DATA_DIR: join(folder, 'data'),
      PATRONI_POSTGRESQL_PGPASS: join(folder, 'pgpass'),
      PATRONI_ETCD_HOSTS: Object.values(addresses)
        .map((at) => `${at}:2379`)
        .join(),
      PATRONI_SUPERUSER_PASSWORD: databasePassword,
      PATRONI_REPLICATION_PASSWORD: databasePassword,
      PATRONI_REWIND_PASSWORD: databasePassword,
    })
  }

  /** Kills PostgreSQL and Patroni with -9, so that neither can say goodbye. */
  kill(): void {
    for (const pid of this.#processes()) if (!/etcd/.test(commandOf(pid))) killOne(pid)
    this.#patroni = undefined
  }

  /** Cuts the node off from the network, as if its cable were pulled. */
  cutOff(): void {
    run('ip', 'link', 'set', this.plan.port, 'down')
  }

  connect(): void {
    run('ip', 'link', 'set', this.plan.port, 'up')
  }

  get isRunning(): boolean {
    return this.#patroni?.exitCode === null && this.#patroni.signalCode === null
  }

  end(): void {
    for (const pid of this.#processes()) killOne(pid)
  }

  #processes(): number[] {
    return run('ip', 'netns', 'pids', this.plan.namespace).split('\n').filter(Boolean).map(Number)
  }

  #start(log: string, command: readonly string[], env: Record<string, string>): ChildProcess {
    const output = openSync(join(this.plan.folder, `${log}.log`), 'a')
    const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups']
    const child = spawn('ip', ['netns', 'exec', this.plan.namespace, ...asPostgres, ...command], {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', HOME: this.plan.folder, ...env },
      cwd: this.plan.folder,
      stdio: ['ignore', output, output],
    })
    closeSync(output)
    return child
  }
}

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process exited in the meantime.
  }
}
