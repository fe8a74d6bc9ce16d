// A call's audio on disk while it is being recorded: stereo WAV, the caller left and the agent right.
//
//   <session>.wav.part   grows during the call; its header says 'to the end of the file'
//   <session>.wav        complete; its header has the length
//
// Written from the thread of the 20 ms clock, so nothing here blocks: frames are collected in a chunk, and full chunks
// are written asynchronously. What a slow disk leaves no room for becomes silence, so that the rest stays aligned.
import assert from 'node:assert/strict'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Frame } from '../../../media/frame.ts'
import { interleave, wavHeader, wavHeaderBytes } from '../../../media/wav.ts'
import type { RecordingSink } from '../../../ports/recording.ts'

// A chunk is a second of a phone call, the most that a crash can lose.
const chunkSamples = 16_000
// The chunks of half a minute of a phone call, a megabyte. A disk that lags further will not catch up.
const mostChunks = 32
const stepBytes = 4

export const recordingPath = (folder: string, sessionId: string): string => join(folder, `${sessionId}.wav`)

const partOf = (path: string): string => `${path}.part`

/** Removes a recording, complete or not. Succeeds if there is none. */
export async function removeRecordingFile(folder: string, sessionId: string): Promise<void> {
  const path = recordingPath(folder, sessionId)
  await rm(path, { force: true })
  await rm(partOf(path), { force: true })
}

/** Marks a complete file as unfinished, because the call goes on in another process, perhaps on this machine. */
export async function reopenRecording(folder: string, sessionId: string): Promise<void> {
  const path = recordingPath(folder, sessionId)
  await rename(path, partOf(path)).catch(orAbsent)
}

/**
 * No file is created before the first frame. `elapsedMs`: the call goes on after so much of it; the file of the first
 * part is continued where it is on this machine, and what is missing until then is silence.
 */
export function openRecording(folder: string, sessionId: string, elapsedMs = 0): RecordingSink {
  return new RecordingFile(recordingPath(folder, sessionId), elapsedMs)
}

/** Still to be written: audio, or the length in samples of what did not fit. */
type Piece =
  | { readonly of: 'sound'; readonly samples: Int16Array }
  | { readonly of: 'silence'; samples: number }

class RecordingFile implements RecordingSink {
  readonly #path: string
  readonly #elapsedMs: number
  #rateHz = 0
  #file: FileHandle | undefined
  #filling: Int16Array = new Int16Array(chunkSamples)
  #filled = 0
  readonly #waiting: Piece[] = []
  readonly #spare: Int16Array[] = []
  #missedSamples = 0
  #isDiscarded = false
  #failure: unknown
  #writing: Promise<void> | undefined

  constructor(path: string, elapsedMs: number) {
    this.#path = path
    this.#elapsedMs = elapsedMs
  }

  write(caller: Frame, agent: Frame): void {
    if (this.#isDiscarded) return
    this.#rateHz ||= caller.rateHz
    assert(
      caller.rateHz === this.#rateHz && agent.rateHz === this.#rateHz,
      'the sample rate changed during a recording',
    )
    const samples = 2 * caller.samples.length
    if (this.#filled + samples > chunkSamples) this.#queueChunk()
    interleave(caller.samples, agent.samples, this.#filling.subarray(this.#filled, this.#filled + samples))
    this.#filled += samples
  }

  async close(): Promise<void> {
    if (this.#rateHz === 0 || this.#isDiscarded) return
    this.#queueChunk()
    await this.flushed()
    await this.#file?.datasync().catch((error) => (this.#failure ??= error))
    await this.#file?.close()
    await repairRecording(this.#path).catch((error) => (this.#failure ??= error))
    if (this.#failure) throw new Error('The recording could not be written.', { cause: this.#failure })
    if (this.#missedSamples === 0) return
    const seconds = (this.#missedSamples / 2 / this.#rateHz).toFixed(1)
    throw new Error(`${seconds} s of the recording are silent: the disk was too slow.`)
  }

  async flushed(): Promise<void> {
    while (this.#writing) await this.#writing
  }

  async discard(): Promise<void> {
    this.#isDiscarded = true
    this.#waiting.length = 0
    await this.flushed()
    await this.#file?.close()
    await Promise.all([rm(partOf(this.#path), { force: true }), rm(this.#path, { force: true })])
  }

  /** Queues the full chunk for writing and starts another one. */
  #queueChunk(): void {
    const last = this.#waiting.at(-1)
    if (this.#waiting.length < mostChunks) {
      this.#waiting.push({ of: 'sound', samples: this.#filling.subarray(0, this.#filled) })
      this.#filling = this.#spare.pop() ?? new Int16Array(chunkSamples)
    } else {
      this.#missedSamples += this.#filled
      if (last?.of === 'silence') last.samples += this.#filled
      else this.#waiting.push({ of: 'silence', samples: this.#filled })
    }
    this.#filled = 0
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined))
  }

  async #writeAll(): Promise<void> {
    try {
      this.#file ??= await begin(this.#path, this.#rateHz, this.#elapsedMs)
      for (let piece = this.#waiting[0]; piece && !this.#failure; piece = this.#waiting[0]) {
        if (piece.of === 'sound') await this.#writeSound(this.#file, piece.samples)
        else if (piece.samples > 0) {
          const samples = Math.min(piece.samples, chunkSamples)
          piece.samples -= samples
          await this.#file.appendFile(new Uint8Array(2 * samples))
          continue
        }
        this.#waiting.shift()
      }
    } catch (error) {
      this.#failure ??= error
    }
    if (this.#failure) this.#waiting.length = 0
  }

  async #writeSound(file: FileHandle, { buffer, byteOffset, byteLength }: Int16Array): Promise<void> {
    await file.appendFile(new Uint8Array(buffer, byteOffset, byteLength))
    this.#spare.push(new Int16Array(buffer as ArrayBuffer))
  }
}

async function begin(path: string, rateHz: number, elapsedMs: number): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const earlier = elapsedMs > 0 ? await openEarlier(path, rateHz) : undefined
  if (!earlier) await rm(partOf(path), { force: true })
  const file = earlier ?? (await open(partOf(path), 'a+', 0o600))
  if (!earlier) await file.appendFile(wavHeader({ rateHz, channels: 2 }))
  if (elapsedMs > 0) await extend(file, Math.round((elapsedMs * rateHz) / 1_000))
  return file
}

/** The file of a writer that died, if it is here and of the same rate. Another rate cannot be continued. */
async function openEarlier(path: string, rateHz: number): Promise<FileHandle | undefined> {
  const file = await open(partOf(path), 'a+').catch(orAbsent)
  if (!file) return undefined
  const header = Buffer.alloc(wavHeaderBytes)
  const { bytesRead } = await file.read(header, 0, wavHeaderBytes, 0)
  if (bytesRead === wavHeaderBytes && header.readUInt32LE(rateAt) === rateHz) return file
  await file.close()
  return undefined
}

/** Extends the file with silence to this many steps of both channels. A longer file is left as it is. */
async function extend(file: FileHandle, steps: number): Promise<void> {
  const { size } = await file.stat()
  const wanted = wavHeaderBytes + steps * stepBytes
  // The writer may have died within a step.
  const whole = size - ((size - wavHeaderBytes) % stepBytes)
  await file.truncate(whole)
  if (wanted > whole) await file.truncate(wanted)
}

/**
 * Completes a recording whose writer has closed it or died, by writing the length into the header. True if a complete
 * recording exists afterwards, false if none was begun.
 */
export async function repairRecording(path: string): Promise<boolean> {
  const file = await open(partOf(path), 'r+').catch(orAbsent)
  if (!file) return (await stat(path).catch(orAbsent)) !== undefined
  try {
    const { size } = await file.stat()
    // Died before the first audio was written.
    if (size < wavHeaderBytes) {
      await rm(partOf(path))
      return false
    }
    const dataBytes = size - wavHeaderBytes - ((size - wavHeaderBytes) % stepBytes)
    const header = Buffer.alloc(wavHeaderBytes)
    await file.read(header, 0, wavHeaderBytes, 0)
    await file.truncate(wavHeaderBytes + dataBytes)
    const rateHz = header.readUInt32LE(rateAt)
    await file.write(wavHeader({ rateHz, channels: 2 }, dataBytes), 0, wavHeaderBytes, 0)
    await file.datasync()
  } finally {
    await file.close()
  }
  await rename(partOf(path), path)
  return true
}

// Its offset in the header, see media/wav.ts.
const rateAt = 24

function orAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
