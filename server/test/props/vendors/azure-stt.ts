// Azure's transcriber on a loopback address: the socket of the vendor's own library.
import { type AzureMessage, azureText, readAzure } from './azure-frames.ts'
import { type HearingServer, openSttServer, queryOf } from './stt-server.ts'

const formats: Readonly<Record<number, 'linear16' | 'mulaw' | 'alaw'>> = {
  1: 'linear16',
  6: 'alaw',
  7: 'mulaw',
}

export const openAzureStt = (key: string): Promise<HearingServer> =>
  openSttServer({
    knows: ({ headers }) => headers['ocp-apim-subscription-key'] === key,
    request(client) {
      client.head(200)
      client.send('token')
      client.end()
    },
    talk(client, ears) {
      let requestId = ''
      let context: Readonly<Record<string, unknown>> = {}
      let isEnding = false
      const send = (path: string, body: object) => client.send(azureText(path, requestId, body))
      const beginTurn = (message: AzureMessage) => {
        requestId = message.requestId
        const header = message.body
        const encoding = formats[header.readUInt16LE(20)] ?? 'linear16'
        const rateHz = header.readUInt32LE(24)
        // A turn has positions of its own.
        ears.wants(
          { ...queryOf(client), path: client.url.pathname, rateHz, encoding, ...context },
          { rateHz, encoding },
        )
        send('turn.start', { context: { serviceTag: 'tag' } })
      }
      client.onMessage((raw) => {
        const message = readAzure(raw)
        if (message.path === 'speech.context') context = JSON.parse(message.body.toString())
        if (message.path !== 'audio') return
        if (message.body.subarray(0, 4).toString() === 'RIFF') beginTurn(message)
        else if (message.body.length === 0) {
          isEnding = true
          ears.told('finalize')
        } else if (isEnding || message.requestId !== requestId) client.end(1_007, 'Audio outside of a turn')
        else ears.hear(message.body)
      })
      return {
        partial: (text, endMs) =>
          send('speech.hypothesis', { Text: text, Offset: 0, Duration: endMs * 10_000 }),
        final(text, endMs) {
          const Duration = endMs * 10_000
          send('speech.phrase', { RecognitionStatus: 'Success', DisplayText: text, Offset: 0, Duration })
          if (!isEnding) return
          send('turn.end', {})
          isEnding = false
        },
      }
    },
  })
