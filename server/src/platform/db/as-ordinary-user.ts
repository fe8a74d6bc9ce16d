// PostgreSQL refuses to run as root. As root, we run it in a user namespace as an unprivileged user; where the kernel
// forbids that, as an existing ordinary user, who is made the owner of the folders.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SettingError } from '../config.ts'

/** How a program is started. */
export type Runner = (
  program: string,
  args: string[],
) => { program: string; args: string[]; options: { uid?: number; gid?: number } }

export function runnerFor(folders: string[]): Runner {
  if (process.getuid?.() !== 0) return (program, args) => ({ program, args, options: {} })
  const account = ordinaryUser()
  const namespace = inNamespace(account)
  const { program, args } = namespace('true', [])
  return spawnSync(program, args).status === 0 ? namespace : asUser(account, folders)
}

/**
 * Inside the namespace we are that user; outside, the files stay ours, so that no parent folder needs other
 * permissions.
 */
const inNamespace =
  ({ uid, gid }: Account): Runner =>
  (program, args) => ({
    program: 'unshare',
    args: ['--user', `--map-user=${uid}`, `--map-group=${gid}`, '--', program, ...args],
    options: {},
  })

interface Account {
  uid: number
  gid: number
}

/** The user must have a name, because initdb looks it up. */
function ordinaryUser(): Account {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const found = ['postgres', 'node', 'nobody']
    .map((name) => accounts.find((fields) => fields[0] === name))
    .find(Boolean)
  return { uid: Number(found?.[2] ?? 65_534), gid: Number(found?.[3] ?? 65_534) }
}

function asUser({ uid, gid }: Account, folders: string[]): Runner {
  for (const folder of folders) {
    // initdb creates its folder beside the final one, so the user must own the parent too.
    mkdirSync(dirname(folder), { recursive: true })
    chownSync(dirname(folder), uid, gid)
    if (existsSync(folder)) giveAway(folder, uid, gid)
  }
  const [first] = folders
  if (first && spawnSync('ls', [dirname(first)], { uid, gid }).status !== 0) {
    throw new SettingError(
      'PARLEY_DATA_DIR',
      `is ${dirname(first)}, which PostgreSQL cannot reach: it may not run as root, and user ${uid} may not enter. Choose a folder that others may enter, or set DATABASE_URL.`,
    )
  }
  return (program, args) => ({ program, args, options: { uid, gid } })
}

function giveAway(folder: string, uid: number, gid: number): void {
  chownSync(folder, uid, gid)
  chmodSync(folder, 0o700)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) giveAway(path, uid, gid)
    else if (entry.isFile()) chownSync(path, uid, gid)
  }
}
