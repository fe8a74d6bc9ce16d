// An OpenAI-compatible transcriber on a loopback address: POST /audio/transcriptions and /audio/translations.
import { type HearingServer, openSttServer } from './stt-server.ts'
import type { VendorClient } from './vendor-server.ts'
import { samplesOf, WordEars } from './word-ears.ts'

const formats: Readonly<Record<number, 'linear16' | 'mulaw' | 'alaw'>> = {
  1: 'linear16',
  6: 'alaw',
  7: 'mulaw',
}

export async function openWhisperStt(key: string): Promise<HearingServer> {
  const waiting: VendorClient[] = []
  const server: HearingServer = await openSttServer({
    knows: ({ headers }) => headers.authorization === `Bearer ${key}`,
    talk: () => ({ partial() {}, final() {} }),
    async request(client) {
      if (client.method === 'GET') return answer(client, { data: [] })
      const form = await new Response(client.body, {
        headers: { 'content-type': client.headers['content-type'] ?? '' },
      }).formData()
      const { file, ...fields } = Object.fromEntries(form)
      const wav = Buffer.from(await (file as Blob).arrayBuffer())
      const encoding = formats[wav.readUInt16LE(20)] ?? 'linear16'
      server.rateHz = wav.readUInt32LE(24)
      server.sound.push(...samplesOf(wav.subarray(44), encoding))
      server.settings.push({ ...fields, path: client.url.pathname, rateHz: server.rateHz, encoding })
      server.told.push('finalize')
      waiting.push(client)
      if (!server.understands) return
      const ears = new WordEars({ rateHz: server.rateHz, encoding }, ({ type, text }) => {
        if (type === 'final') server.final(text)
      })
      ears.hear(wav.subarray(44))
      ears.finalize()
    },
  })
  server.final = (text) => {
    for (const client of waiting.splice(0)) answer(client, { text, language: 'english', duration: 1 })
  }
  return server
}

function answer(client: VendorClient, body: object): void {
  client.head(200, { 'content-type': 'application/json' })
  client.send(JSON.stringify(body))
  client.end()
}
