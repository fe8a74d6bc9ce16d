// A program that sends one packet of each kind that a telephone line sends, from the ports of its settings, and ends.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { RtpPorts } from '../../../src/carriers/sip/sound/rtp-ports.ts'
import { openTransports } from '../../../src/carriers/sip/transport/open-transports.ts'
import { readConfig } from '../../../src/platform/config.ts'

const { sip } = readConfig(process.env)
if (!sip) throw new Error('PARLEY_SIP_PORT is missing')
/** Nobody listens there. */
const nowhere = 9
const trunk = createServer((socket) => socket.resume()).listen(5061)
await once(trunk, 'listening')

const transports = await openTransports(sip, { onMessage: () => {} })
const sound = await new RtpPorts('::', sip.rtpPorts).open()
const packet = Buffer.from('a packet')
for (const address of ['127.0.0.1', '::1']) {
  sound?.rtp.send(packet, address, nowhere)
  sound?.rtcp.send(packet, address, nowhere)
  transports.send(packet, { transport: 'udp', address, port: nowhere }, () => {})
  // By a connection of ours, and by one of theirs.
  const connected = once(trunk, 'connection')
  transports.send(packet, { transport: 'tcp', address, port: 5061 }, () => {})
  await connected
  const telephone = connect(sip.port, address)
  await once(telephone, 'connect')
  telephone.destroy()
}
// Its sockets would keep it alive.
process.exit()
