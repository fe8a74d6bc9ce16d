// Google. gRPC StreamingRecognize v2; end: half close. A stream lives five minutes: open the next after four, with overlapping
// audio.
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
