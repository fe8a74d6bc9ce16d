// HAProxy and PgBouncer on the machine of the service, set up by the files in deploy/database, at free ports.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onExit } from '../bench/cleanup-on-exit.ts'
import { freePort } from '../bench/service-process.ts'
import { runnerFor } from '../server/src/platform/db/as-ordinary-user.ts'
import { databasePassword } from './database-node.ts'

const shipped = (name: string) => readFileSync(new URL(`../deploy/database/${name}`, import.meta.url), 'utf8')

export interface DatabaseUrls {
  /** The address through PgBouncer. */
  readonly pooled: string
  readonly replicas: string
  /** The address through HAProxy only. */
  readonly sessions: string
}

/** Starts both proxies, which end with this process. */
export async function startProxies(folder: string, addresses: readonly string[]): Promise<DatabaseUrls> {
  const [primary, replicas, pooler] = [await freePort(), await freePort(), await freePort()]
  const haproxy = shipped('haproxy.cfg')
    .replace('127.0.0.1:5000', `127.0.0.1:${primary}`)
    .replace('127.0.0.1:5001', `127.0.0.1:${replicas}`)
  writeFileSync(join(folder, 'haproxy.cfg'), haproxy)
  const pgbouncer = shipped('pgbouncer.ini')
    .replace('port=5000', `port=${primary}`)
    .replace('port=5001', `port=${replicas}`)
    .replace(/^listen_port = .*$/m, `listen_port = ${pooler}`)
    .replace(/^auth_file = .*$/m, `auth_file = ${join(folder, 'userlist.txt')}`)
  writeFileSync(join(folder, 'pgbouncer.ini'), pgbouncer)
  writeFileSync(join(folder, 'userlist.txt'), `"parley" "${databasePassword}"\n`)
  const [PG1 = '', PG2 = '', PG3 = ''] = addresses
  start(['haproxy', '-db', '-f', join(folder, 'haproxy.cfg')], { PG1, PG2, PG3 })
  const { program, args } = runnerFor([folder])('/usr/sbin/pgbouncer', ['-q', join(folder, 'pgbouncer.ini')])
  start([program, ...args])
  const at = (port: number, name: string) =>
    `postgresql://parley:${encodeURIComponent(databasePassword)}@127.0.0.1:${port}/${name}`
  return {
    pooled: at(pooler, 'parley'),
    replicas: at(pooler, 'parley_read'),
    sessions: at(primary, 'parley'),
  }
}

function start([program, ...args]: readonly [string, ...string[]] | readonly string[], env = {}): void {
  const child = spawn(program ?? '', args, {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...env },
    stdio: 'ignore',
  })
  onExit(() => child.kill('SIGKILL'))
}
