// Rime on a loopback address: wss /ws3 with segment=never. Flushes that come while it speaks become one.
import { openRecordedTts, type RecordedTts, type TtsRecord } from './recorded-tts.ts'
import { piecesOf, soundOf, wordMs, wordsOf } from './spoken-words.ts'
import type { VendorClient } from './vendor-server.ts'

export const openRimeTts = (key: string): Promise<RecordedTts> =>
  openRecordedTts({
    knows: ({ headers }) => headers.authorization === `Bearer ${key}`,
    socket: serve,
  })

function serve(client: VendorClient, { texts, told }: TtsRecord): void {
  const { searchParams } = client.url
  const rateHz = Number(searchParams.get('samplingRate'))
  let waiting = ''
  let flushed = ''
  let isSpeaking = false
  let contextId: string | null = null

  const speak = () => {
    if (isSpeaking || flushed === '') return
    isSpeaking = true
    const words = wordsOf(flushed)
    const own = { contextId }
    flushed = ''
    // The rest of what has come is read before `done` is sent, as over a network.
    setImmediate(() => {
      for (const [place, word] of words.entries()) {
        for (const piece of piecesOf(soundOf(word, rateHz)))
          client.send(JSON.stringify({ type: 'chunk', data: piece.toString('base64'), ...own }))
        const [start, end] = [[(place * wordMs) / 1000], [((place + 1) * wordMs) / 1000]]
        client.send(
          JSON.stringify({ type: 'timestamps', word_timestamps: { words: [word], start, end }, ...own }),
        )
      }
      client.send(JSON.stringify({ type: 'done', ...own }))
      isSpeaking = false
      speak()
    })
  }

  client.onMessage((raw) => {
    const message = JSON.parse(raw.toString())
    if (message.text !== undefined) {
      texts.push(message.text)
      contextId = message.contextId ?? null
      waiting += message.text
      if (searchParams.get('segment') === 'immediate') message.operation = 'flush'
      else return
    }
    told.push(message.operation)
    if (message.operation === 'clear') waiting = ''
    else {
      flushed += waiting
      waiting = ''
      speak()
    }
  })
}
