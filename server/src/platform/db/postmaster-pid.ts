// Reads the process id of a cluster's server from PostgreSQL's lock file.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const fileIn = (folder: string) => join(folder, 'postmaster.pid')

/** The server's process id, if it is running. */
export function pidOf(folder: string): number | undefined {
  const pid = readPid(folder)
  return pid !== undefined && isAlive(pid) && isPostgres(pid) ? pid : undefined
}

/**
 * After a reboot or in a new container, the pid in a stale lock file may belong to another program, and PostgreSQL
 * would refuse to start. The file itself must stay: it also identifies the shared memory by which PostgreSQL detects
 * surviving children. So only the pid is replaced, by one that cannot exist.
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

/** Without /proc, the file is trusted. */
function isPostgres(pid: number): boolean {
  try {
    // A zombie has an empty command line.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres')
  } catch (error) {
    return process.platform !== 'linux' || (error as NodeJS.ErrnoException).code === 'EACCES'
  }
}
