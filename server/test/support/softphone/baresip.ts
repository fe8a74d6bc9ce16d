// baresip, a softphone from Debian, in a telephone room: it is told what to do over a socket, plays a file and records what
// it hears.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RateHz } from '../../../src/media/frame.ts'
import type { TelephoneRoom } from '../namespace/telephone-room.ts'
import { waitUntil } from '../wait-until.ts'

/** Calls to any other are refused with 404. */
export const softphoneNumber = '+493012345678'

export interface BaresipOptions {
  /** Of SIP; the socket for commands takes the one 10,000 above. */
  readonly port: number
  /** In the order of its offers, as it names them: PCMU/8000/1. */
  readonly codecs: string
  /** Its microphone: a WAV of the codec's rate. */
  readonly says: string
  /** Says what it hears instead. */
  readonly isMirror?: boolean
  readonly rateHz: number
  /** `manual`: it rings until it is told to answer. */
  readonly answers?: 'auto' | 'manual'
  readonly transport?: 'udp' | 'tcp' | 'tls'
  /** Must be encrypted. */
  readonly srtp?: boolean
  /** A file with certificate and key, for TLS. */
  readonly certificate?: string
  /** Logs in there, as `user@host:port`; otherwise it has no account anywhere. */
  readonly account?: { readonly address: string; readonly password: string }
}

export interface BaresipEvent {
  readonly type: string
  readonly param?: string
}

export interface Baresip {
  readonly events: BaresipEvent[]
  command(name: string, params?: string): void
  /** Resolves when an event of this type has come, the n-th one. */
  happens(type: string, times?: number): Promise<BaresipEvent>
  /** Its microphone from now on: another WAV of the same kind. */
  says(file: string): void
  /** The file of what it has heard in its last call. */
  heard(): Promise<string>
  log(): string
  close(): Promise<void>
}

export async function openBaresip(room: TelephoneRoom, options: BaresipOptions): Promise<Baresip> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-baresip-'))
  const { port, transport = 'udp', answers = 'auto', srtp = false, codecs, account } = options
  const address = `${room.address}:${port}`
  await writeFile(join(folder, 'config'), configOf(folder, address, options))
  await writeFile(
    join(folder, 'accounts'),
    `<sip:${account?.address ?? `${softphoneNumber}@${address}`};transport=${transport}>;${account ? `auth_pass=${account.password};regint=600` : 'regint=0'};answermode=${answers};audio_codecs=${codecs}${srtp ? ';mediaenc=srtp-mand' : ''}\n`,
  )
  await writeFile(join(folder, 'contacts'), '')
  const phone = spawn(
    'nsenter',
    // It ends with the test, however that ends.
    [`--net=${room.space.path}`, 'setpriv', '--pdeathsig', 'KILL', 'baresip', '-f', folder],
    { stdio: 'pipe' },
  )
  let log = ''
  for (const stream of [phone.stdout, phone.stderr]) stream.on('data', (chunk) => (log += chunk))
  await waitUntil(
    () => log.includes('baresip is ready') || undefined,
    () => `baresip is ready\n${log}`,
  )
  const remote = spawn('nsenter', [
    `--net=${room.space.path}`,
    'bash',
    '-c',
    `exec 3<>/dev/tcp/127.0.0.1/${port + 10_000}; cat <&3 & exec cat >&3`,
  ])
  const events: BaresipEvent[] = []
  readNetstrings(remote.stdout, (text) => {
    const event = JSON.parse(text) as BaresipEvent
    if (event.type) events.push(event)
    else log += `${text}\n`
  })
  const all = (type: string) => events.filter((event) => event.type === type)

  const command = (name: string, params = '') => {
    const text = JSON.stringify({ command: name, params })
    remote.stdin.write(`${Buffer.byteLength(text)}:${text},`)
  }

  return {
    events,
    command,
    says: (file) => command('ausrc', `aufile,${file}`),
    happens(type, times = 1) {
      // A failure says how far it came.
      const course = () => events.map((event) => `${event.type} ${event.param ?? ''}`).join(', ')
      return waitUntil(
        () => all(type)[times - 1],
        () => `${type} after ${course()}\n${log}`,
      )
    },
    async heard() {
      const files = (await readdir(folder)).filter((name) => name.endsWith('-dec.wav')).sort()
      return join(folder, files.at(-1) ?? 'nothing.wav')
    },
    log: () => log,
    async close() {
      const ended = Promise.all([once(phone, 'exit'), once(remote, 'exit')])
      remote.kill('SIGKILL')
      phone.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const configOf = (
  folder: string,
  address: string,
  { port, says, rateHz, certificate, isMirror = false }: BaresipOptions,
) =>
  `sip_listen ${address}
${certificate ? `sip_certificate ${certificate}` : ''}
net_interface eth0
rtp_ports ${port + 20_000}-${port + 20_018}
audio_player aubridge,nowhere${port}
audio_source ${isMirror ? `aubridge,nowhere${port}` : `aufile,${says}`}
audio_alert aubridge,alert${port}
ausrc_srate ${rateHz}
auplay_srate ${rateHz}
module_path /usr/lib/baresip/modules
module g711.so
module g722.so
module opus.so
module srtp.so
module aubridge.so
module aufile.so
module sndfile.so
module ctrl_tcp.so
module_app account.so
module_app menu.so
ctrl_tcp_listen 127.0.0.1:${port + 10_000}
snd_path ${folder}
`

/** `5:hello,` after `5:hello,`. */
function readNetstrings(stream: NodeJS.ReadableStream, onText: (text: string) => void): void {
  let bytes = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    for (;;) {
      const colon = bytes.indexOf(':')
      const length = Number(bytes.subarray(0, Math.max(colon, 0)).toString())
      if (colon < 0 || bytes.length < colon + length + 2) return
      onText(bytes.subarray(colon + 1, colon + 1 + length).toString())
      bytes = bytes.subarray(colon + length + 2)
    }
  })
}

/** A WAV with 16 bits, even if nobody has closed it; of stereo the left side. */
export async function soundOf(file: string): Promise<{ samples: Int16Array; rateHz: RateHz }> {
  const bytes = await readFile(file)
  const start = bytes.indexOf('data') + 8
  const bytesPerSample = 2 * bytes.readUInt16LE(22)
  const samples = new Int16Array(Math.floor((bytes.length - start) / bytesPerSample))
  for (let i = 0; i < samples.length; i++) samples[i] = bytes.readInt16LE(start + bytesPerSample * i)
  return { samples, rateHz: bytes.readUInt32LE(24) as RateHz }
}
