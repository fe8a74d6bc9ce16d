// Answers to requests: what each must repeat of the request (RFC 3261 §8.2.6).
import { tagOf } from './headers.ts'
import { type Header, headersOf, noBody, type SipRequest, type SipResponse } from './message.ts'

const reasons: Readonly<Record<number, string>> = {
  100: 'Trying',
  180: 'Ringing',
  183: 'Session Progress',
  200: 'OK',
  202: 'Accepted',
  302: 'Moved Temporarily',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  407: 'Proxy Authentication Required',
  408: 'Request Timeout',
  415: 'Unsupported Media Type',
  416: 'Unsupported URI Scheme',
  420: 'Bad Extension',
  422: 'Session Interval Too Small',
  423: 'Interval Too Brief',
  428: 'Use Identity Header',
  436: 'Bad Identity Info',
  437: 'Unsupported Credential',
  438: 'Invalid Identity Header',
  480: 'Temporarily Unavailable',
  481: 'Call/Transaction Does Not Exist',
  482: 'Loop Detected',
  483: 'Too Many Hops',
  486: 'Busy Here',
  487: 'Request Terminated',
  488: 'Not Acceptable Here',
  489: 'Bad Event',
  491: 'Request Pending',
  500: 'Server Internal Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  505: 'Version Not Supported',
  603: 'Decline',
}

export interface AnswerParts {
  /** Our tag in To, which every answer but 100 has. */
  readonly tag?: string
  readonly headers?: readonly Header[]
  readonly body?: Uint8Array
  readonly reason?: string
}

export function answerTo(request: SipRequest, status: number, parts: AnswerParts = {}): SipResponse {
  const repeated = (name: string) => headersOf(request, name).map((value) => ({ name, value }))
  const to = repeated('To').map(({ name, value }) => ({
    name,
    value: parts.tag === undefined || tagOf(request, 'To') !== null ? value : `${value};tag=${parts.tag}`,
  }))
  const makesDialog = request.method === 'INVITE' && status > 100 && status < 300
  return {
    kind: 'response',
    status,
    reason: parts.reason ?? reasons[status] ?? 'Unknown',
    headers: [
      ...repeated('Via'),
      // Without Record-Route our peer's requests would not come back through the proxies (§12.1.1).
      ...(makesDialog ? repeated('Record-Route') : []),
      ...repeated('From'),
      ...to,
      ...repeated('Call-ID'),
      ...repeated('CSeq'),
      ...(parts.headers ?? []),
    ],
    body: parts.body ?? noBody,
  }
}
