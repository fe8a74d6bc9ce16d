// A SIP proxy of our own in front of several processes (deploy/edge/): what we send to trunks goes out through it, and
// callers who come through it are known by the address that it saw.
//
//   X-Parley-Source: sip:203.0.113.7:5060;transport=udp     the edge removes what others have written there
import { isIP } from 'node:net'
import { headerOf, type SipRequest } from '../message/message.ts'
import { parseUri, printHost } from '../message/uri.ts'
import type { Destination } from './transport.ts'

export interface EdgeAddress {
  readonly address: string
  readonly port: number
}

const sourceHeader = 'X-Parley-Source'

export class SipEdge {
  readonly #at: EdgeAddress | undefined

  /** `at` is undefined if there is no edge. */
  constructor(at: EdgeAddress | undefined) {
    this.#at = at
  }

  /** The first route of what we send to trunks. */
  get routes(): readonly string[] {
    return this.#at ? [`<sip:${printHost(this.#at.address)}:${this.#at.port};transport=udp;lr>`] : []
  }

  /** Where requests with this route are sent; null: there is no edge. */
  get destination(): Destination | null {
    return this.#at ? { transport: 'udp', ...this.#at } : null
  }

  isAt(address: string): boolean {
    return this.#at?.address === address
  }

  /** Whether a request is the edge's own health check. */
  isPing(request: SipRequest, peer: Destination): boolean {
    return this.isAt(peer.address) && request.method === 'OPTIONS' && !headerOf(request, sourceHeader)
  }

  /** The sender of a request: the peer, or whom the edge names if the peer is the edge. */
  originOf(request: SipRequest, peer: Destination): Destination {
    if (!this.isAt(peer.address)) return peer
    const uri = parseUri(headerOf(request, sourceHeader) ?? '')
    if (!uri || uri.scheme === 'tel' || isIP(uri.host) === 0) return peer
    const transport = uri.parameters.get('transport')
    return {
      transport: transport === 'tcp' || transport === 'tls' ? transport : 'udp',
      address: uri.host,
      port: uri.port ?? peer.port,
    }
  }
}
