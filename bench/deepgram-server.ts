// A vendor whose streams hear and say the same in every turn, in Deepgram's protocols on loopback.
import { openVendorServer, type VendorClient } from '../server/test/props/vendors/vendor-server.ts'

// 1.6 s at 8 kHz.
const sound = Buffer.alloc(25_600, 1)
const words = 'I would like a table for two tonight.'

export const openDeepgram = () =>
  openVendorServer({
    knows: () => true,
    socket: (client) => (client.url.pathname.includes('listen') ? hear(client) : speak(client)),
  })

/** As Deepgram's recognizer: the same words for every turn. */
function hear(client: VendorClient): void {
  client.onMessage((raw) => {
    if (typeof raw !== 'string' && raw[0] !== 0x7b) return
    if (!raw.toString().includes('Finalize')) return
    const channel = { alternatives: [{ transcript: words, confidence: 1 }] }
    client.send(
      JSON.stringify({ type: 'Results', is_final: true, speech_final: false, from_finalize: true, channel }),
    )
  })
}

/** As Deepgram's synthesizer: the same sound for every text. */
function speak(client: VendorClient): void {
  client.onMessage((raw) => {
    const text = raw.toString()
    if (text.includes('"Flush"')) {
      client.send(sound)
      client.send('{"type":"Flushed","sequence_id":0}')
    }
    if (text.includes('"Clear"')) client.send('{"type":"Cleared","sequence_id":0}')
  })
}
