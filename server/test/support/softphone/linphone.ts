// Linphone's console, a softphone from Debian, in a telephone room: it is told what to do on its standard input, plays a file
// and records what it hears.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TelephoneRoom } from '../namespace/telephone-room.ts'
import { waitUntil } from '../wait-until.ts'
import { softphoneNumber } from './baresip.ts'

export interface Linphone {
  /** A line of its console; digits are pressed. */
  command(line: string): void
  /** Resolves when its console has printed this. */
  prints(pattern: RegExp): Promise<RegExpExecArray>
  /** Its microphone from now on. */
  says(file: string): void
  /** The file of what it has heard. */
  heard(): Promise<string>
  close(): Promise<void>
}

/** Answers at once whoever calls. */
export async function openLinphone(room: TelephoneRoom, port: number, says: string): Promise<Linphone> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-linphone-'))
  const heard = join(folder, 'heard.wav')
  await mkdir(join(folder, '.local/share/linphone'), { recursive: true })
  await writeFile(join(folder, 'rc'), configOf(room.address, port))
  const phone = spawn(
    'nsenter',
    [
      `--net=${room.space.path}`,
      'setpriv',
      '--pdeathsig',
      'KILL',
      'linphonec',
      '-a',
      '-c',
      join(folder, 'rc'),
    ],
    { stdio: 'pipe', env: { ...process.env, HOME: folder } },
  )
  let log = ''
  for (const stream of [phone.stdout, phone.stderr]) stream.on('data', (chunk) => (log += chunk))
  const command = (line: string) => void phone.stdin.write(`${line}\n`)
  const prints = (pattern: RegExp) =>
    waitUntil(
      () => pattern.exec(log) ?? undefined,
      () => `${pattern}\n${log}`,
    )
  await prints(/linphonec>/)
  command('soundcard use files')
  await prints(/Using wav files/)
  command(`play ${says}`)
  command(`record ${heard}`)
  return {
    command,
    prints,
    says: (file) => command(`play ${file}`),
    heard: async () => heard,
    async close() {
      const ended = once(phone, 'exit')
      phone.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const configOf = (address: string, port: number) => `[sip]
use_ipv6=0
sip_port=${port}
sip_tcp_port=0
sip_tls_port=0
contact=sip:${softphoneNumber}@${address}:${port}
[rtp]
audio_rtp_port=${port + 20_000}
[video]
enabled=0
`
