// Google. gRPC StreamingRecognize v2; the end by half close. A stream lives five minutes: begin the next after four, with an
// overlap of sound.
import type { SttVendor } from '../../ports/vendor.ts'

export const google: SttVendor = {
  label: 'Google',
  host: 'speech.googleapis.com',
  credentials: ['serviceAccount'],
  abilities: {
    streaming: true,
    ownEndpointing: true,
    eagerFinals: false,
    keyterms: true,
    wordTimes: true,
    languages: 'any',
  },
}
