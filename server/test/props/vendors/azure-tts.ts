// Azure Speech on a loopback address: POST /cognitiveservices/v1 with SSML.
import { openRecordedTts, type RecordedTts } from './recorded-tts.ts'
import { piecesOf, soundOf, wordsOf } from './spoken-words.ts'
import { plainTextOf } from './ssml-text.ts'

export const openAzureTts = (key: string): Promise<RecordedTts> =>
  openRecordedTts({
    knows: ({ headers }) => headers['ocp-apim-subscription-key'] === key,
    request: {
      path: '/cognitiveservices/v1',
      serve(client, { texts }) {
        const { headers, body } = client
        const khz = /^raw-(8|16|24|48)khz-16bit-mono-pcm$/.exec(
          String(headers['x-microsoft-outputformat']),
        )?.[1]
        const isComplete = headers['content-type'] === 'application/ssml+xml' && headers['user-agent'] && khz
        if (!isComplete) {
          client.head(400)
          client.end()
          return
        }
        const text = plainTextOf(body.toString())
        texts.push(text)
        client.head(200, { 'content-type': 'audio/basic' })
        for (const word of wordsOf(text))
          for (const piece of piecesOf(soundOf(word, Number(khz) * 1000))) client.send(piece)
        client.end()
      },
    },
  })
