// RFC 4475 names its torture messages; those here keep its section numbers.
import { describe, expect, it } from 'vitest'
import { addressIn, cseqOf, optionTags, tagOf, topVia } from './headers.ts'
import {
  bodyText,
  elementsOf,
  headerOf,
  headersOf,
  printMessage,
  type SipMessage,
  splitList,
} from './message.ts'
import { type ParseFault, parseMessage } from './parse.ts'

const bytes = (text: string) => new TextEncoder().encode(text.replaceAll('\n', '\r\n'))

function read(text: string): SipMessage {
  const message = parseMessage(bytes(text))
  if (message.kind === 'fault') throw new Error(message.reason)
  return message
}

const refuse = (text: string) => parseMessage(bytes(text)) as ParseFault

const invite = `INVITE sip:user@company.com SIP/2.0
Via: SIP/2.0/UDP client.example:5060;branch=z9hG4bK1
From: <sip:caller@example.net>;tag=1
To: <sip:user@company.com>
Call-ID: a@b
CSeq: 1 INVITE
Max-Forwards: 70
`

describe('a tortuous INVITE (RFC 4475 3.1.1.1)', () => {
  const message = read(`INVITE sip:vivekg@chair-dnrc.example.com;unknownparam SIP/2.0
TO :
 sip:vivekg@chair-dnrc.example.com ;   tag    = 1918181833n
from   : "J Rosenberg \\\\\\""       <sip:jdrosen@example.com>
  ;
  tag = 98asjd8
MaX-fOrWaRdS: 0068
Call-ID: wsinv.ndaksdj@192.0.2.1
Content-Length   : 150
cseq: 0009
  INVITE
Via  : SIP  /   2.0
 /UDP
    192.0.2.2;branch=390skdjuw
s :
NewFangledHeader:   newfangled value
 continued newfangled value
UnknownHeaderWithUnusualValue: ;;,,;;,;
Content-Type: application/sdp
Route:
 <sip:services.example.com;lr;unknownwith=value;unknown-no-value>
v:  SIP  / 2.0  / TCP     spindle.example.com   ;
  branch  =   z9hG4bK9ikj8  ,
 SIP  /    2.0   / UDP  192.168.255.111   ; branch=
 z9hG4bK30239
m:"Quoted string \\"\\"" <sip:jdrosen@example.com> ; newparam =
      newvalue ;
  secondparam ; q = 0.33

v=0
o=mhandley 29739 7272939 IN IP4 192.0.2.3
s=-
c=IN IP4 192.0.2.4
t=0 0
m=audio 49217 RTP/AVP 0 12
m=video 3227 RTP/AVP 31
a=rtpmap:31 LPC
`)

  it('is read', () => {
    expect(message).toMatchObject({ method: 'INVITE', uri: 'sip:vivekg@chair-dnrc.example.com;unknownparam' })
    expect(tagOf(message, 'To')).toBe('1918181833n')
    expect(tagOf(message, 'From')).toBe('98asjd8')
    expect(addressIn(message, 'From')?.displayName).toBe('J Rosenberg \\"')
    expect(cseqOf(message)).toEqual({ number: 9, method: 'INVITE' })
    expect(topVia(message)).toMatchObject({ transport: 'UDP', host: '192.0.2.2', port: null })
    expect(elementsOf(message, 'Via')).toHaveLength(3)
    expect(addressIn(message, 'Contact')).toMatchObject({ address: 'sip:jdrosen@example.com' })
    expect(addressIn(message, 'Contact')?.parameters.get('q')).toBe('0.33')
    expect(headerOf(message, 'Newfangledheader')).toBe('newfangled value continued newfangled value')
    expect(bodyText(message)).toContain('m=audio 49217')
  })

  it('survives being printed and read again', () => {
    const again = parseMessage(printMessage(message)) as SipMessage
    expect(again.headers.filter(({ name }) => name !== 'Content-Length')).toEqual(
      message.headers.filter(({ name }) => name !== 'Content-Length'),
    )
    expect(bodyText(again)).toBe(bodyText(message))
  })
})

describe('a message is read', () => {
  it('with compact forms in any case', () => {
    const message = read(`${invite}k: timer, 100rel\nM: <sip:x@y>\nl: 0\n\n`)
    expect(optionTags(message, 'Supported')).toEqual(['timer', '100rel'])
    expect(headerOf(message, 'Contact')).toBe('<sip:x@y>')
  })

  it('with a method of every character that a token may have (3.1.1.2)', () => {
    const method = "!interesting-Method0123456789_*+`.%indeed'~"
    expect(read(invite.replace('INVITE sip', `${method} sip`))).toMatchObject({ method })
  })

  it('with escaped characters in addresses (3.1.1.3)', () => {
    const message = read(invite.replace('<sip:caller@', '"Caller" <sip:%75se%72@'))
    expect(addressIn(message, 'From')?.uri).toMatchObject({ user: 'user' })
  })

  it('with a null in an address (3.1.1.4)', () => {
    const message = read(invite.replace('<sip:caller@', '<sip:null-%00-null@'))
    expect(addressIn(message, 'From')?.uri).toMatchObject({ user: 'null-\0-null' })
  })

  it('with bytes beyond its Content-Length left away (3.1.1.7)', () => {
    expect(bodyText(read(`${invite}Content-Length: 4\n\nv=0\nINVITE junk`))).toBe('v=0\r')
  })

  it('with a transport that nobody knows (3.1.1.10)', () => {
    expect(topVia(read(invite.replace('SIP/2.0/UDP', 'SIP/2.0/UNKNOWN')))?.transport).toBe('UNKNOWN')
  })

  it('without a reason phrase (3.1.1.13)', () => {
    expect(read('SIP/2.0 100 \nVia: SIP/2.0/UDP a;branch=z9hG4bK1\n\n')).toMatchObject({
      status: 100,
      reason: '',
    })
  })

  it('with line feeds alone', () => {
    const message = parseMessage(
      new TextEncoder().encode('OPTIONS sip:a SIP/2.0\nVia: SIP/2.0/UDP a\n\nbody'),
    )
    expect(message).toMatchObject({ kind: 'request', method: 'OPTIONS' })
  })

  it('with the same header on several lines, in order', () => {
    expect(headersOf(read(`${invite}Route: <sip:a>\nRoute: <sip:b>,<sip:c>\n\n`), 'Route')).toHaveLength(2)
    expect(elementsOf(read(`${invite}Route: <sip:a>\nRoute: <sip:b>,<sip:c>\n\n`), 'Route')).toEqual([
      '<sip:a>',
      '<sip:b>',
      '<sip:c>',
    ])
  })
})

describe('a list is split', () => {
  it.each([
    ['"a, b" <sip:x>, <sip:y,z>', ['"a, b" <sip:x>', '<sip:y,z>']],
    ['"quote \\" comma, " <sip:x>,b', ['"quote \\" comma, " <sip:x>', 'b']],
    [' , a ,, b ', ['a', 'b']],
    ['', []],
  ])('%s', (text, elements) => expect(splitList(text)).toEqual(elements))
})

describe('a message is refused', () => {
  it.each([
    ['more body announced than there is (3.1.2.2)', `${invite}Content-Length: 9999\n\nv=0`, 400],
    ['a negative length (3.1.2.3)', `${invite}Content-Length: -999\n\nv=0`, 400],
    ['a version that we do not speak (3.1.2.16)', invite.replace('SIP/2.0\n', 'SIP/7.0\n'), 505],
    [
      'an address in angle brackets (3.1.2.8)',
      invite.replace('sip:user@company.com SIP', '<sip:user@company.com> SIP'),
      400,
    ],
    [
      'an address with spaces (3.1.2.9)',
      invite.replace('sip:user@company.com SIP', 'sip:user@company.com; lr SIP'),
      400,
    ],
    ['a status of four digits (3.1.2.19)', 'SIP/2.0 4294967301 better not\nVia: a\n\n', 400],
    ['a line that is no header', `${invite}what is this\n\n`, 400],
    ['a start line that is none', 'hello\n\n', 400],
    ['nothing', '', 400],
  ])('with %s', (_, text, status) => expect(refuse(text)).toMatchObject({ kind: 'fault', status }))

  it('and can be answered if its headers were readable', () => {
    expect(refuse(`${invite}Content-Length: 9999\n\n`).request?.method).toBe('INVITE')
  })

  it('if it is larger than a datagram', () => {
    expect(parseMessage(new Uint8Array(70_000))).toMatchObject({ status: 413 })
  })
})

it('numbers of requests beyond 31 bits are not taken (3.1.2.4)', () => {
  expect(cseqOf(read(invite.replace('CSeq: 1 ', 'CSeq: 36893488147419103232 ')))).toBeNull()
})
