// `parley say "text" --voice heart`: speaks on this machine, aloud or into a file. Needs no service.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type OpenVoiceSamples, openVoiceSamples } from '../engines/voice/voice-samples.ts'
import { readConfig } from '../platform/config.ts'
import type { VoiceDescription } from '../ports/synthesizer.ts'
import type { Shell, Terminal } from './shell.ts'

interface Flags {
  voice?: string
  out?: string
}

/** Programs that play a WAV file, best first. */
const players: readonly (readonly [program: string, ...options: string[]])[] = [
  ['paplay'],
  ['aplay', '-q'],
  ['afplay'],
  ['ffplay', '-nodisp', '-autoexit', '-loglevel', 'error'],
]

export default function addSayCommand(command: Command, { terminal }: Shell): void {
  command
    .argument('<text>')
    .option('--voice <name>', 'its name, or female or male; without it, that of an agent that names none')
    .option('--out <file>', 'write it there instead of playing it')
    .action(async (text: string, flags: Flags) => {
      try {
        await say(text, flags, terminal)
      } catch (error) {
        command.error(error instanceof Error ? error.message : String(error))
      }
    })
}

async function say(text: string, { voice, out }: Flags, { env }: Terminal): Promise<void> {
  const { modelsDir, tts } = readConfig(env)
  const voices = openVoiceSamples({ modelsFolder: modelsDir, engine: tts })
  try {
    const wav = await voices.say(text, await chosen(voices, voice))
    if (out) await writeFile(out, wav)
    else await play(wav)
  } finally {
    await voices.close()
  }
}

async function chosen(voices: OpenVoiceSamples, name: string | undefined): Promise<VoiceDescription> {
  const known = await voices.voices()
  const asked = name?.toLowerCase()
  const wanted = asked
    ? (known.find((voice) => voice.name === asked) ?? known.find((voice) => voice.gender === asked))
    : known.find((voice) => voice.isDefault)
  if (wanted) return wanted
  throw new Error(
    `There is no voice called ${name}; there are: ${known.map((voice) => voice.name).join(', ')}.`,
  )
}

async function play(wav: Uint8Array): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-say-'))
  const file = join(folder, 'speech.wav')
  try {
    await writeFile(file, wav)
    for (const [program, ...options] of players) if (await ran(program, [...options, file])) return
    const names = players.map(([program]) => program).join(', ')
    throw new Error(`Nothing here plays sound (tried ${names}); --out writes a file instead.`)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Whether the program is there and played it. */
const ran = (program: string, args: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore' })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
