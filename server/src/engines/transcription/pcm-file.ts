// A recording on disk: 16 kHz, mono, 16 bit, little-endian, no header; random access.
import { open } from 'node:fs/promises'

export interface PcmFile {
  readonly durationMs: number
  /** Reads a copy, clamped to the recording. */
  read(fromMs: number, toMs: number): Promise<Int16Array<ArrayBuffer>>
  close(): Promise<void>
}

const samplesPerMs = 16
const sampleBytes = 2

export async function openPcmFile(path: string): Promise<PcmFile> {
  const file = await open(path, 'r')
  const { size } = await file.stat()
  const samples = Math.floor(size / sampleBytes)
  const place = (ms: number) => Math.min(Math.max(Math.round(ms * samplesPerMs), 0), samples)
  return {
    durationMs: samples / samplesPerMs,
    async read(fromMs, toMs) {
      const from = place(fromMs)
      const part = new Int16Array(Math.max(0, place(toMs) - from))
      const { bytesRead } = await file.read(
        new Uint8Array(part.buffer),
        0,
        part.byteLength,
        from * sampleBytes,
      )
      return bytesRead === part.byteLength ? part : part.slice(0, Math.floor(bytesRead / sampleBytes))
    },
    close: () => file.close(),
  }
}
