// Lets the bytes of a file through as long as they are UTF-8: anything else would be stored as question marks.
import { Transform, type TransformCallback } from 'node:stream'
import { Failure } from '../../http/failure.ts'

const notUtf8 = (cause: unknown): Failure =>
  new Failure('VALIDATION_ERROR', {
    details: [{ path: 'file', message: 'Is not UTF-8. Save it as “CSV UTF-8”.' }],
    cause,
  })

export function utf8Only(): Transform {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const look = (chunk: Buffer | undefined, done: TransformCallback) => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined })
      done(null, chunk)
    } catch (error) {
      done(notUtf8(error))
    }
  }
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => look(chunk, done),
    flush: (done) => look(undefined, done),
  })
}
