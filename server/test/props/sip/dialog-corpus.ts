// Messages of a call as a good client sends them, for a fuzz to spoil: those in a dialog reach furthest.
import { printMessage } from '../../../src/carriers/sip/message/message.ts'
import { requestOf, sdp } from './agents.ts'

const decoder = new TextDecoder()

export interface LastCall {
  readonly callId: string
  /** Ours. */
  readonly tag: string
}

/** `last` is the last call that was answered, `fresh` makes new ones; `port` is where the sender listens. */
export function dialogCorpus(port: number, { callId, tag }: LastCall, fresh: string): string[] {
  const make = (method: string, headers: Record<string, string> = {}, body = '') => {
    const common = {
      Via: `SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK${method}${fresh};rport`,
      Contact: `<sip:fuzz@127.0.0.1:${port}>`,
      'Call-ID': fresh,
      ...(body && { 'Content-Type': 'application/sdp' }),
    }
    return decoder.decode(printMessage(requestOf(method, { ...common, ...headers }, { body })))
  }
  const to = { To: `<sip:parley@127.0.0.1>;tag=${tag}`, 'Call-ID': callId }
  return [
    make('INVITE', {}, sdp),
    make('INVITE', { Require: '100rel', Supported: 'timer', 'Session-Expires': '90;refresher=uac' }, sdp),
    make('INVITE'),
    make('INVITE', { Replaces: `${callId};to-tag=${tag};from-tag=b`, CSeq: '3 INVITE' }, sdp),
    make('INVITE', { ...to, CSeq: '4 INVITE' }, sdp),
    make('ACK', to),
    make('ACK', to, sdp),
    make('CANCEL'),
    make('BYE', { ...to, CSeq: '9 BYE', Reason: 'Q.850;cause=16, SIP;cause=200;text="x"' }),
    make('UPDATE', { ...to, CSeq: '5 UPDATE', 'Session-Expires': '90' }, sdp),
    make('PRACK', { ...to, CSeq: '5 PRACK', RAck: '1 1 INVITE' }),
    make(
      'INFO',
      { ...to, CSeq: '6 INFO', 'Content-Type': 'application/dtmf-relay' },
      'Signal=5\r\nDuration=160\r\n',
    ),
    make('REFER', {
      ...to,
      CSeq: '7 REFER',
      'Refer-To': `<sip:x@127.0.0.1:${port}?Replaces=a%3Bto-tag%3Db%3Bfrom-tag%3Dc>`,
    }),
    make(
      'NOTIFY',
      { ...to, CSeq: '8 NOTIFY', Event: 'refer', 'Subscription-State': 'terminated' },
      'SIP/2.0 200 OK\r\n',
    ),
    make('OPTIONS'),
    make('REGISTER', {
      Authorization: 'Digest username="a", realm="r", nonce="n", uri="sip:r", response="0", qop=auth, nc=1',
    }),
    make('SUBSCRIBE', { Event: 'presence' }),
  ]
}
