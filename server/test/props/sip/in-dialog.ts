// The next request of the far end in a dialog, as a raw peer sends it.
import { tagOf } from '../../../src/carriers/sip/message/headers.ts'
import { headerOf, type SipRequest, type SipResponse } from '../../../src/carriers/sip/message/message.ts'
import { requestOf } from './agents.ts'

/** In the call that our agent placed with this INVITE. */
export const toCaller = (
  invite: SipRequest,
  method: string,
  {
    headers = {},
    body = '',
    sequence = 1,
  }: { headers?: Record<string, string>; body?: string; sequence?: number } = {},
): SipRequest =>
  requestOf(
    method,
    {
      From: '<sip:bob@bob.example>;tag=raw',
      To: headerOf(invite, 'From') as string,
      'Call-ID': headerOf(invite, 'Call-ID') as string,
      CSeq: `${sequence} ${method}`,
      ...(body && { 'Content-Type': 'application/sdp' }),
      ...headers,
    },
    { branch: `z9hG4bK${method}${sequence}`, body },
  )

/** In the call that our agent answered with this response. */
export const toCallee = (
  response: SipResponse,
  method: string,
  {
    headers = {},
    body = '',
    sequence = 2,
  }: { headers?: Record<string, string>; body?: string; sequence?: number } = {},
): SipRequest =>
  requestOf(
    method,
    {
      From: headerOf(response, 'From') as string,
      To: `<sip:parley@alice.example>;tag=${tagOf(response, 'To')}`,
      'Call-ID': headerOf(response, 'Call-ID') as string,
      CSeq: `${sequence} ${method}`,
      ...(body && { 'Content-Type': 'application/sdp' }),
      ...headers,
    },
    { branch: `z9hG4bK${method}${sequence}`, body },
  )
