// Child processes of the test's own process and their open sockets, from /proc.
import { readdir, readFile, readlink } from 'node:fs/promises'

/** Process ids of the children whose command line contains the name. */
export async function childrenNamed(name: string): Promise<number[]> {
  const tasks = await readdir('/proc/self/task')
  const children = await Promise.all(
    tasks.map((task) => readFile(`/proc/self/task/${task}/children`, 'utf8')),
  )
  const pids = children.flatMap((list) => list.split(' ').filter(Boolean)).map(Number)
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return pids.filter((_, at) => commands[at]?.includes(name))
}

/** The number of their UDP sockets. */
export async function udpSocketsOf(name: string): Promise<number> {
  const counts = await Promise.all((await childrenNamed(name)).map(countUdpSockets))
  return counts.reduce((sum, count) => sum + count, 0)
}

async function countUdpSockets(pid: number): Promise<number> {
  const tables = await Promise.all(
    ['udp', 'udp6'].map((table) => readFile(`/proc/${pid}/net/${table}`, 'utf8')),
  )
  const inodes = tables.flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)[9]))
  const files = await readdir(`/proc/${pid}/fd`)
  const open = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')))
  return open.filter((link) => inodes.includes(/^socket:\[(\d+)\]$/.exec(link)?.[1] ?? '')).length
}
