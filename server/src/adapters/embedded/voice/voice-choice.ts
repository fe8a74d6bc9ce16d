// Chooses between the two offline voices: the natural one on a machine that is fast enough, else the instant one. The
// speed is measured once per machine and stored in a file, so that later starts need not measure.
import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

export type VoiceEngine = 'kokoro' | 'flite'
export type VoiceWish = 'auto' | VoiceEngine

export interface VoiceChoice {
  readonly engine: VoiceEngine
  readonly why: string
  /** Seconds of work per second of speech, if it was measured. */
  readonly realTimeFactor?: number
}

export interface VoiceQuestion {
  readonly wish: VoiceWish
  /** Where the measurement is stored, beside the weights. */
  readonly folder: string
  /** The number of threads affects the speed. */
  readonly threads: number
  /** Whether the weights of the natural voice are present: 330 MB are not downloaded without being asked for. */
  readonly isPresent: () => Promise<boolean>
}

export interface Choosing extends VoiceQuestion {
  readonly measure: () => Promise<number>
}

// If slower, callers hear pauses before sentences, and a second call makes it worse.
const fastEnough = 0.4

const Measured = z.object({ machine: z.string(), realTimeFactor: z.number() })

/** The choice, if it can be made without measuring; undefined: it must be measured. */
export async function knownVoice(question: VoiceQuestion): Promise<VoiceChoice | undefined> {
  const { wish } = question
  if (wish !== 'auto') return { engine: wish, why: 'as configured' }
  if (!(await question.isPresent())) {
    return { engine: 'flite', why: 'the natural voice is not fetched; make models brings it' }
  }
  const realTimeFactor = await remembered(question)
  return realTimeFactor === undefined ? undefined : choiceBy(realTimeFactor)
}

export const chooseVoice = async (choosing: Choosing): Promise<VoiceChoice> =>
  (await knownVoice(choosing)) ?? choiceBy(await measured(choosing))

const choiceBy = (realTimeFactor: number): VoiceChoice =>
  realTimeFactor < fastEnough
    ? { engine: 'kokoro', why: 'this machine is fast enough', realTimeFactor }
    : { engine: 'flite', why: 'this machine is too slow for the natural voice', realTimeFactor }

const fileOf = (folder: string) => join(folder, 'voice-speed.json')
const machineOf = (threads: number) => `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${threads} used`

async function remembered({ folder, threads }: VoiceQuestion): Promise<number | undefined> {
  try {
    const { machine, realTimeFactor } = Measured.parse(JSON.parse(await readFile(fileOf(folder), 'utf8')))
    return machine === machineOf(threads) ? realTimeFactor : undefined
  } catch {
    // Missing, or not in our format.
    return undefined
  }
}

async function measured({ folder, threads, measure }: Choosing): Promise<number> {
  const realTimeFactor = await measure()
  const half = `${fileOf(folder)}.${randomUUID()}.tmp`
  await writeFile(half, JSON.stringify({ machine: machineOf(threads), realTimeFactor }))
  await rename(half, fileOf(folder))
  return realTimeFactor
}
