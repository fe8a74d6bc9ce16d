// Messages on the pipe to the peer process, however they are chunked.
import { Socket } from 'node:net'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { kind, PipeReader, PipeWriter, readSound } from './pipe.ts'

/** A socket that keeps what is written to it. */
function written(write: (writer: PipeWriter) => void): Buffer {
  const socket = new Socket()
  const pieces: Buffer[] = []
  socket.write = (piece: unknown) => {
    pieces.push(Buffer.from(piece as Buffer))
    return true
  }
  write(new PipeWriter(socket, 320))
  return Buffer.concat(pieces)
}

it('returns what was written, however it is chunked', () => {
  const sound = Int16Array.from({ length: 320 }, (_, at) => at * 100 - 16_000)
  const bytes = written((writer) => {
    writer.word(7, { type: 'offer', sdp: 'v=0\r\n'.repeat(2_000) })
    writer.sound(4_000_000_000, sound)
    writer.word(7, { type: 'close' })
  })
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1 }), (cuts) => {
      const heard: unknown[] = []
      const reader = new PipeReader((peer, what, body) => {
        const samples = new Int16Array(320)
        if (what === kind.sound) readSound(body, samples)
        heard.push([peer, what === kind.sound ? samples : JSON.parse(body.toString()).type])
      })
      for (let at = 0, cut = 0; at < bytes.length; cut++) {
        const size = cuts[cut % cuts.length] ?? 1
        reader.push(bytes.subarray(at, at + size))
        at += size
      }
      expect(heard).toEqual([
        [7, 'offer'],
        [4_000_000_000, sound],
        [7, 'close'],
      ])
    }),
  )
})
