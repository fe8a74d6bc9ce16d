// Azure's synthesizer on a loopback address: the socket of the vendor's own library.
import { z } from 'zod'
import { azureSound, azureText, readAzure } from './azure-frames.ts'
import { openRecordedTts, type RecordedTts, type TtsRecord } from './recorded-tts.ts'
import { piecesOf, soundOf, wordMs, wordsOf } from './spoken-words.ts'
import { plainTextOf } from './ssml-text.ts'
import type { VendorClient } from './vendor-server.ts'

const Context = z.object({
  synthesis: z.object({
    audio: z.object({
      metadataOptions: z.object({ wordBoundaryEnabled: z.union([z.boolean(), z.string()]) }),
      outputFormat: z.string(),
    }),
  }),
})

const stepsPerMs = 10_000

export const openAzureTts = (key: string): Promise<RecordedTts> =>
  openRecordedTts({
    knows: ({ headers }) => headers['ocp-apim-subscription-key'] === key,
    socket(client, record) {
      if (client.url.pathname === '/tts/cognitiveservices/websocket/v1') serve(client, record)
      else client.end(1_008, 'nothing is here')
    },
  })

function serve(client: VendorClient, { texts, told }: TtsRecord): void {
  let isConfigured = false
  let rateHz = 0
  let tellsWords = false
  client.onMessage((raw) => {
    const { path, requestId, body } = readAzure(raw)
    if (path === 'speech.config') isConfigured = true
    if (path === 'synthesis.control') told.push('cancel')
    if (path === 'synthesis.context') {
      const { outputFormat, metadataOptions } = Context.parse(JSON.parse(body.toString())).synthesis.audio
      const khz = /^raw-(8|16|24|48)khz-16bit-mono-pcm$/.exec(outputFormat)?.[1]
      if (!khz || !isConfigured) return client.end(1_007, `Unsupported audio format: ${outputFormat}`)
      rateHz = Number(khz) * 1_000
      tellsWords = `${metadataOptions.wordBoundaryEnabled}` === 'true'
    }
    if (path !== 'ssml') return
    const text = plainTextOf(body.toString())
    texts.push(text)
    const streamId = requestId.toUpperCase()
    const send = (what: string, content: object) => client.send(azureText(what, requestId, content))
    send('turn.start', { context: { serviceTag: 'tag' } })
    send('response', { context: { serviceTag: 'tag' }, audio: { type: 'inline', streamId } })
    for (const [place, word] of wordsOf(text).entries()) {
      if (tellsWords) send('audio.metadata', { Metadata: boundariesOf(word, place) })
      for (const piece of piecesOf(soundOf(word, rateHz))) client.send(azureSound(requestId, streamId, piece))
    }
    send('turn.end', {})
  })
}

/** A word and the punctuation after it are told apart. */
function boundariesOf(word: string, place: number): readonly object[] {
  const [, plain = '', sign = ''] = /^(.*?)([.,?!]*)$/.exec(word) ?? []
  const boundary = (Text: string, BoundaryType: string) => ({
    Type: 'WordBoundary',
    Data: {
      Offset: place * wordMs * stepsPerMs,
      Duration: wordMs * stepsPerMs,
      text: { Text, Length: Text.length, BoundaryType },
    },
  })
  return [
    boundary(plain, 'WordBoundary'),
    ...(sign ? [boundary(sign, 'PunctuationBoundary')] : []),
    { Type: 'SessionEnd', Data: { Offset: 0 } },
  ]
}
