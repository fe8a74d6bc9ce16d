// Rime: a host for sockets and one for requests; a key is checked by speaking one letter.
import { bearer, companyAccount } from '../over/account.ts'

export const usualModel = 'coda'
export const usualVoice = 'astra'

export const account = companyAccount('rime', {
  host: 'users-ws.rime.ai',
  headersOf: bearer,
  check: {
    method: 'POST',
    host: 'users.rime.ai',
    path: '/v1/rime-tts',
    headers: { 'content-type': 'application/json', accept: 'audio/pcm' },
    body: JSON.stringify({ text: 'a', speaker: usualVoice, modelId: usualModel }),
  },
})
