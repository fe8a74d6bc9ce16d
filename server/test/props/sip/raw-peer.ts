// A SIP peer of a test that answers what the test tells it to, word by word.
import { answerTo } from '../../../src/carriers/sip/message/answer.ts'
import {
  type Header,
  printMessage,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from '../../../src/carriers/sip/message/message.ts'
import { parseMessage } from '../../../src/carriers/sip/message/parse.ts'
import type { Destination, Flow, Transports } from '../../../src/carriers/sip/transport/transport.ts'
import type { MemoryNetwork } from './network.ts'

export interface ReceivedMessage {
  readonly message: SipMessage
  answer(status: number, parts?: { tag?: string; headers?: readonly Header[]; body?: string }): SipResponse
}

export class RawPeer {
  readonly received: ReceivedMessage[] = []
  readonly #transports: Transports
  /** Called for every message; the test answers from here or later. */
  onMessage: (received: ReceivedMessage) => void = () => {}

  constructor(network: MemoryNetwork, address: string) {
    this.#transports = network.join(address, (bytes, flow) => this.#receive(bytes, flow))
  }

  requests(method: string): SipRequest[] {
    return this.received
      .map(({ message }) => message)
      .filter((message): message is SipRequest => message.kind === 'request' && message.method === method)
  }

  responses(): SipResponse[] {
    return this.received.map(({ message }) => message).filter((message) => message.kind === 'response')
  }

  send(message: SipMessage, to: Destination): void {
    this.#transports.send(printMessage(message), to, () => {})
  }

  /** A datagram, whatever is in it. */
  sendText(text: string, to: Destination): void {
    this.#transports.send(new TextEncoder().encode(text.replaceAll('\n', '\r\n')), to, () => {})
  }

  #receive(bytes: Uint8Array, flow: Flow): void {
    const message = parseMessage(bytes)
    if (message.kind === 'fault') throw new Error(`The user agent sent a broken message: ${message.reason}`)
    const received: ReceivedMessage = {
      message,
      answer: (status, { tag = 'raw', headers = [], body } = {}) => {
        if (message.kind !== 'request') throw new Error('Only requests are answered.')
        const contact = { name: 'Contact', value: `<sip:raw@far.example>` }
        const response = answerTo(message, status, {
          tag,
          headers: [contact, ...headers],
          ...(body !== undefined && { body: new TextEncoder().encode(body) }),
        })
        flow.send(printMessage(response))
        return response
      },
    }
    this.received.push(received)
    this.onMessage(received)
  }
}
