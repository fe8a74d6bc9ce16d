// Azure Speech. wss {region}.{host}/speech/recognition: text headers, binary frames prefixed with a two-byte header length. Another
// language needs another connection.
import type { SttVendor } from '../../ports/vendor.ts'

export const azure: SttVendor = {
  label: 'Azure Speech',
  host: 'stt.speech.microsoft.com',
  credentials: ['apiKey', 'region'],
  abilities: {
    streaming: true,
    ownEndpointing: true,
    eagerFinals: false,
    keyterms: true,
    wordTimes: true,
    languages: 'any',
  },
}
