// What PostgreSQL's lock file says about who runs a cluster.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const fileIn = (folder: string) => join(folder, 'postmaster.pid')

/** The server's process id, if it runs. */
export function pidOf(folder: string): number | undefined {
  const pid = readPid(folder)
  return pid !== undefined && isAlive(pid) && isPostgres(pid) ? pid : undefined
}

/**
 * After a reboot or in a new container, the id in a left-over lock file may belong to some other program, and
 * PostgreSQL would refuse to start. The file itself must stay: it also names the shared memory by which PostgreSQL
 * recognises surviving children. So only the id is replaced, by one that is surely dead.
 */
export function forgetReusedPid(folder: string): void {
  const pid = readPid(folder)
  if (pid === undefined || !isAlive(pid) || isPostgres(pid)) return
  const dead = spawnSync(process.execPath, ['--version']).pid
  const [, ...rest] = readFileSync(fileIn(folder), 'utf8').split('\n')
  writeFileSync(fileIn(folder), [dead, ...rest].join('\n'))
}

function readPid(folder: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(fileIn(folder), 'utf8'), 10) || undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Where /proc does not exist, the file is believed. */
function isPostgres(pid: number): boolean {
  try {
    // A zombie has an empty command line.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres')
  } catch (error) {
    return process.platform !== 'linux' || (error as NodeJS.ErrnoException).code === 'EACCES'
  }
}
