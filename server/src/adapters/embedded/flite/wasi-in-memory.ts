// The subset of WASI that flite needs: its arguments and one output file, all in memory.
// https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md

const success = 0
const badDescriptor = 8
const noSuchFile = 44
const rootDescriptor = 3
const fileDescriptor = 4
// File types of a descriptor.
const device = 2
const directory = 3
const regularFile = 4
// One sentence of speech at 16 kHz; grows by doubling.
const firstFileBytes = 1 << 18

class Exit extends Error {}

export interface Ran {
  /** Content of the output file. */
  readonly file: Uint8Array
  /** Output on stdout and stderr. */
  readonly printed: string
}

/** Runs a program once in its own memory. */
export function runInMemory(program: WebAssembly.Module, args: readonly string[]): Ran {
  let printed = ''
  let file = new Uint8Array(firstFileBytes)
  let place = 0
  let size = 0
  // Created on each use: the buffer is replaced when the memory grows.
  const view = () => new DataView((instance.exports.memory as WebAssembly.Memory).buffer)
  const bytes = () => new Uint8Array((instance.exports.memory as WebAssembly.Memory).buffer)
  const encoded = args.map((arg) => new TextEncoder().encode(`${arg}\0`))

  function append(chunk: Uint8Array): void {
    while (place + chunk.length > file.length) {
      const larger = new Uint8Array(file.length * 2)
      larger.set(file)
      file = larger
    }
    file.set(chunk, place)
    place += chunk.length
    size = Math.max(size, place)
  }

  const calls = {
    args_sizes_get(count: number, total: number) {
      view().setUint32(count, encoded.length, true)
      view().setUint32(
        total,
        encoded.reduce((sum, arg) => sum + arg.length, 0),
        true,
      )
      return success
    },
    args_get(pointers: number, buffer: number) {
      let at = buffer
      encoded.forEach((arg, place) => {
        view().setUint32(pointers + 4 * place, at, true)
        bytes().set(arg, at)
        at += arg.length
      })
      return success
    },
    clock_time_get(_clock: number, _precision: bigint, at: number) {
      view().setBigUint64(at, 0n, true)
      return success
    },
    fd_close: () => success,
    fd_fdstat_get(descriptor: number, at: number) {
      const kind =
        descriptor < rootDescriptor ? device : descriptor === rootDescriptor ? directory : regularFile
      bytes().fill(0, at, at + 24)
      view().setUint8(at, kind)
      // All rights, for itself and for inheriting.
      bytes().fill(0xff, at + 8, at + 24)
      return success
    },
    fd_fdstat_set_flags: () => success,
    fd_prestat_get(descriptor: number, at: number) {
      if (descriptor !== rootDescriptor) return badDescriptor
      view().setUint32(at, 0, true)
      view().setUint32(at + 4, 1, true)
      return success
    },
    fd_prestat_dir_name(_descriptor: number, at: number) {
      view().setUint8(at, '/'.charCodeAt(0))
      return success
    },
    fd_read(_descriptor: number, _vectors: number, _count: number, readAt: number) {
      view().setUint32(readAt, 0, true)
      return success
    },
    fd_seek(descriptor: number, offset: bigint, whence: number, at: number) {
      if (descriptor !== fileDescriptor) return badDescriptor
      place = Number(offset) + ([0, place, size][whence] ?? 0)
      view().setBigUint64(at, BigInt(place), true)
      return success
    },
    fd_write(descriptor: number, vectors: number, count: number, writtenAt: number) {
      let written = 0
      for (let i = 0; i < count; i++) {
        const at = view().getUint32(vectors + 8 * i, true)
        const length = view().getUint32(vectors + 8 * i + 4, true)
        const chunk = bytes().subarray(at, at + length)
        if (descriptor === fileDescriptor) append(chunk)
        else printed += Buffer.from(chunk).toString('latin1')
        written += length
      }
      view().setUint32(writtenAt, written, true)
      return success
    },
    path_open(
      _root: number,
      _follow: number,
      _path: number,
      _length: number,
      openFlags: number,
      _rights: bigint,
      _inherited: bigint,
      _flags: number,
      at: number,
    ) {
      // Bit 0 is O_CREAT; without it this would be a read, and there is nothing to read.
      if ((openFlags & 1) === 0) return noSuchFile
      place = 0
      size = 0
      view().setUint32(at, fileDescriptor, true)
      return success
    },
    proc_exit(code: number) {
      throw new Exit(String(code))
    },
  }
  const instance = new WebAssembly.Instance(program, { wasi_snapshot_preview1: calls })
  try {
    ;(instance.exports._start as () => void)()
  } catch (error) {
    if (!(error instanceof Exit)) throw error
  }
  return { file: file.subarray(0, size), printed }
}
