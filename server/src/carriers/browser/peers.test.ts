// What the WebRTC process does with the candidates that a browser sends.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { openPeers } from './peers.ts'
import type { FromPeer } from './pipe.ts'

const offer = [
  'v=0',
  'o=- 1 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'c=IN IP4 0.0.0.0',
  'a=ice-ufrag:gNeD',
  'a=ice-pwd:lLoKdmT4vuhNqn2YtHsqWtgI',
  `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'C5').join(':')}`,
  'a=setup:actpass',
  'a=mid:0',
  'a=sendrecv',
  'a=rtcp-mux',
  'a=rtpmap:111 opus/48000/2',
  '',
].join('\r\n')

const peers = openPeers({ info() {}, warn() {} })
const datagrams = createSocket('udp4')
const server = createServer()
afterEach(() => {
  peers.close()
  datagrams.close()
  server.close()
})

it('connects to a UDP port that a browser names, never to a TCP port, and offers no TCP port itself', async () => {
  let [asked, connected] = [0, 0]
  datagrams.on('message', () => asked++).bind(0, '127.0.0.1')
  server.on('connection', () => connected++).listen(0, '127.0.0.1')
  await Promise.all([once(datagrams, 'listening'), once(server, 'listening')])
  const { port } = server.address() as AddressInfo
  const tcp = `candidate:1 1 tcp 1518280447 127.0.0.1 ${port} typ host tcptype passive`
  const udp = `candidate:2 1 udp 1518280446 127.0.0.1 ${datagrams.address().port} typ host`

  const told: FromPeer[] = []
  const peer = peers.open({
    onSignal: (signal) => told.push(signal),
    onReached() {},
    onFrame() {},
    onLost() {},
  })
  peer.signal({ type: 'offer', sdp: `${offer}a=${tcp}\r\n` })
  for (const candidate of [tcp, udp])
    peer.signal({ type: 'candidate', candidate, sdp_mid: '0', sdp_m_line_index: 0 })

  // After this many packets the other candidates have been tried as well.
  await expect.poll(() => asked).toBeGreaterThan(10)
  expect(connected).toBe(0)
  expect(told.map(({ type }) => type)).toContain('candidate')
  expect(JSON.stringify(told)).not.toMatch(/tcptype/)
})
