// A name server with scripted answers, which may differ from lookup to lookup.
import dns2 from 'dns2'
import type { Turns } from './commands.ts'

const { Packet } = dns2
type Packet = InstanceType<typeof Packet>
type Type = 'A' | 'AAAA'

export interface NameServer {
  name(name: string, turns: Turns): void
  /** Lookups so far, by name and type. */
  readonly asked: Map<string, number>
}

export async function startNameServer(address: string): Promise<NameServer> {
  const zone = new Map<string, Turns>()
  const asked = new Map<string, number>()

  const handle = (request: Packet, respond: (response: Packet) => unknown) => {
    const [question] = request.questions
    const type = question?.type === Packet.TYPE.A ? 'A' : 'AAAA'
    const name = question?.name.toLowerCase() ?? ''
    const count = asked.get(`${name} ${type}`) ?? 0
    asked.set(`${name} ${type}`, count + 1)
    const turns = zone.get(name) ?? ['unknown']
    const turn = turns[turns.length > 2 ? count % turns.length : Math.min(count, turns.length - 1)]
    if (turn === 'silence') return
    const response = Packet.createResponseFromRequest(request)
    if (!turn || turn === 'unknown') response.header.rcode = Packet.RCODE.NXDOMAIN
    else response.answers.push(...turn.flatMap((record) => resourcesFor(name, record, type)))
    respond(response)
  }

  const server = dns2.createServer({ udp: true, handle })
  await server.listen({ udp: { port: 53, address } })
  return {
    asked,
    name(name, turns) {
      for (const type of ['A', 'AAAA']) asked.delete(`${name} ${type}`)
      zone.set(name, turns)
    },
  }
}

/** An address, or `other.name=address` for an alias of another name. */
function resourcesFor(name: string, record: string, type: Type): Packet['answers'] {
  const [address = '', alias] = record.split('=').reverse()
  const common = { class: Packet.CLASS.IN, ttl: 0 }
  const isWanted = address.includes(':') === (type === 'AAAA')
  return [
    ...(alias ? [{ ...common, name, type: Packet.TYPE.CNAME, domain: alias }] : []),
    ...(isWanted ? [{ ...common, name: alias ?? name, type: Packet.TYPE[type], address }] : []),
  ] as Packet['answers']
}
