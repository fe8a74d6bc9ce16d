// The messages of RFC 4475 and RFC 5118, written by what each of them is about, and how a user agent treats it. Lines end
// with CRLF when they are sent.

export interface Torture {
  /** `4475 3.1.1.1`. */
  readonly section: string
  readonly about: string
  readonly text: string
  /** The statuses of our answers, in order; none if it is dropped. */
  readonly answers: readonly number[]
}

const sdp = `v=0
o=mhandley 29739 7272939 IN IP4 192.0.2.3
s=-
c=IN IP4 192.0.2.4
t=0 0
m=audio 49217 RTP/AVP 0 12
m=video 3227 RTP/AVP 31
a=rtpmap:31 LPC
`

const length = (text: string): number => text.replaceAll('\n', '\r\n').length

interface Parts {
  readonly start?: string
  readonly to?: string
  readonly from?: string
  readonly callId?: string
  readonly cseq?: string
  readonly via?: string
  readonly maxForwards?: string
  readonly contact?: string | null
  readonly more?: string
  readonly contentLength?: string | null
  readonly body?: string
}

let count = 0

/** An ordinary INVITE from which one message differs in what is given. */
function message(method: string, parts: Parts = {}): string {
  const number = ++count
  const { body = method === 'INVITE' ? sdp : '' } = parts
  const lines = [
    parts.start ?? `${method} sip:user@example.com SIP/2.0`,
    `To: ${parts.to ?? 'sip:user@example.com'}`,
    `From: ${parts.from ?? 'sip:caller@example.net;tag=3234'}`,
    `Max-Forwards: ${parts.maxForwards ?? '70'}`,
    `Call-ID: ${parts.callId ?? `torture.${number}@192.0.2.2`}`,
    `CSeq: ${parts.cseq ?? `8 ${method}`}`,
    `Via: ${parts.via ?? `SIP/2.0/UDP 192.0.2.2;branch=z9hG4bKtorture${number}`}`,
  ]
  if (parts.contact !== null) lines.push(`Contact: ${parts.contact ?? '<sip:caller@host5.example.net>'}`)
  if (parts.more) lines.push(parts.more)
  if (body) lines.push('Content-Type: application/sdp')
  if (parts.contentLength !== null) lines.push(`Content-Length: ${parts.contentLength ?? length(body)}`)
  return `${lines.join('\n')}\n\n${body}`
}

const row = (section: string, about: string, answers: readonly number[], text: string): Torture => ({
  section,
  about,
  answers,
  text,
})

const weird =
  "sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*:&it+has=1,weird!*pas$wo~d_too.(doesn't-it)@example.com"
const longValue = 'longvalue'.repeat(20)

export const valid: readonly Torture[] = [
  row(
    '4475 3.1.1.1',
    'a short tortuous INVITE',
    [481],
    `INVITE sip:vivekg@chair-dnrc.example.com;unknownparam SIP/2.0
TO :
 sip:vivekg@chair-dnrc.example.com ;   tag    = 1918181833n
from   : "J Rosenberg \\\\\\""       <sip:jdrosen@example.com>
  ;
  tag = 98asjd8
MaX-fOrWaRdS: 0068
Call-ID: wsinv.ndaksdj@192.0.2.1
Content-Length   : ${length(sdp)}
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

${sdp}`,
  ),
  row(
    '4475 3.1.1.2',
    'every character that a method, a user and a parameter may have',
    [405],
    message("!interesting-Method0123456789_*+`.%indeed'~", {
      start: `!interesting-Method0123456789_*+\`.%indeed'~ ${weird} SIP/2.0`,
      to: `"BEL:\\\u0007 NUL:\\\u0000 DEL:\\\u007f" <sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*@example.com>`,
      from: "token1~` token2'+_ token3*%!.- <sip:mundane@example.com>;fromParam''~+*_!.-%=\"работающий\";tag=_token~1'+`*%!-.",
      via: "SIP/2.0/UDP 192.0.2.2;branch=z9hG4bK-.!%66*_+`'~",
    }),
  ),
  row(
    '4475 3.1.1.3',
    'escapes that stand for characters of meaning',
    [100, 180],
    message('INVITE', {
      start: 'INVITE sip:sips%3Auser%40example.com@example.net SIP/2.0',
      to: 'sip:%75se%72@example.com',
      from: '<sip:I%20have%20spaces@example.net>;tag=938',
      contact: '<sip:cal%6Cer@host5.example.net;%6C%72;n%61me=v%61lue%25%34%31>',
    }),
  ),
  row(
    '4475 3.1.1.4',
    'escaped zero bytes',
    [405],
    message('REGISTER', {
      to: 'sip:null-%00-null@example.com',
      from: 'sip:null-%00-null@example.com;tag=839923423',
      contact: '<sip:%00@host5.example.com>',
      more: 'Contact: <sip:%00%00@host5.example.com>',
    }),
  ),
  row(
    '4475 3.1.1.5',
    'a percent sign that begins no escape, in a method',
    [405],
    message('RE%47IST%45R', {
      to: '"%Z%45" <sip:resource@example.com>',
      from: '"%Z%45" <sip:resource@example.com>;tag=f232jadfj23',
    }),
  ),
  row(
    '4475 3.1.1.6',
    'no white space between a name and its address',
    [200],
    message('OPTIONS', { from: 'caller<sip:caller@example.com>;tag=323' }),
  ),
  row(
    '4475 3.1.1.7',
    'long values everywhere',
    [100, 180],
    message('INVITE', {
      to: `"I have a user name of ${'extreme'.repeat(20)} proportion" <sip:user@example.com:6000;unknownparam1=very${longValue};longparam${'name'.repeat(20)}=shortvalue>`,
      from: `sip:amazinglylongcallername${longValue}@example.net;tag=12${'982'.repeat(50)}424`,
      callId: `longreq.one${'really'.repeat(20)}longcallid`,
      more: `Unknown-${'Long'.repeat(20)}-Name: unknown-${longValue}\nv: SIP/2.0/TCP sip33.example.com\nv: SIP/2.0/TCP sip32.example.com`,
    }),
  ),
  row(
    '4475 3.1.1.8',
    'a second request after the first, in one datagram',
    [405],
    `${message('REGISTER', { contentLength: '0' })}${message('INVITE')}`,
  ),
  row(
    '4475 3.1.1.9',
    'semicolons in the user part of an address',
    [200],
    message('OPTIONS', { start: 'OPTIONS sip:user;par=u%40example.net@example.com SIP/2.0' }),
  ),
  row(
    '4475 3.1.1.10',
    'transports of many kinds on the way',
    [200],
    message('OPTIONS', {
      more: 'Via: SIP/2.0/TCP t2.example.com;branch=z9hG4bK2\nVia: SIP/2.0/TLS t3.example.com;branch=z9hG4bK3\nVia: SIP/2.0/UNKNOWN t4.example.com;branch=z9hG4bK4',
    }),
  ),
  row(
    '4475 3.1.1.11',
    'a multipart body',
    [405],
    message('MESSAGE', {
      more: 'Content-Type: multipart/mixed;boundary=7a9cbec02ceef655',
      body: '',
      contentLength: null,
    }).concat('--7a9cbec02ceef655\nContent-Type: text/plain\n\nHello\n--7a9cbec02ceef655--\n'),
  ),
]

export const invalid: readonly Torture[] = [
  row(
    '4475 3.1.2.1',
    'separators where there is nothing to separate',
    [400],
    message('INVITE', {
      to: '"Watson, Thomas" <sip:t.watson@example.org>, ;;,;,,',
      contact: '"Joe" <sip:joe@example.org>;;;;,,;',
    }),
  ),
  row(
    '4475 3.1.2.2',
    'more body announced than there is',
    [400],
    message('INVITE', { contentLength: '9999' }),
  ),
  row('4475 3.1.2.3', 'a negative Content-Length', [400], message('INVITE', { contentLength: '-999' })),
  row(
    '4475 3.1.2.4',
    'numbers beyond their range in a request',
    [400],
    message('REGISTER', { cseq: '36893488147419103232 REGISTER', maxForwards: '300' }),
  ),
  row(
    '4475 3.1.2.5',
    'numbers beyond their range in an answer',
    [],
    message('INVITE', {
      start: 'SIP/2.0 503 Service Unavailable',
      cseq: '9292394834772304023312 OPTIONS',
      more: 'Retry-After: 949302838503028349304023988',
    }),
  ),
  row(
    '4475 3.1.2.6',
    'a quote that is not closed',
    [400],
    message('INVITE', { to: '"Mr. J. User <sip:j.user@example.com>' }),
  ),
  row(
    '4475 3.1.2.7',
    'angle brackets around the Request-URI',
    [400],
    message('INVITE', { start: 'INVITE <sip:user@example.com> SIP/2.0' }),
  ),
  row(
    '4475 3.1.2.8',
    'white space in the Request-URI',
    [400],
    message('INVITE', { start: 'INVITE sip:user@example.com; lr SIP/2.0' }),
  ),
  // The RFC lets an element be strict or liberal with these two.
  row(
    '4475 3.1.2.9',
    'several spaces in the request line',
    [100, 180],
    message('INVITE', { start: 'INVITE  sip:user@example.com  SIP/2.0' }),
  ),
  row(
    '4475 3.1.2.10',
    'spaces at the end of the request line',
    [200],
    message('OPTIONS', { start: 'OPTIONS sip:remote-target@example.com SIP/2.0  ' }),
  ),
  row(
    '4475 3.1.2.11',
    'headers in the Request-URI',
    [400],
    message('INVITE', { start: 'INVITE sip:user@example.com?Route=%3Csip:example.com%3E SIP/2.0' }),
  ),
  row(
    '4475 3.1.2.12',
    'a date of another time zone',
    [100, 180],
    message('INVITE', { more: 'Date: Fri, 01 Jan 2010 16:00:00 EST' }),
  ),
  row(
    '4475 3.1.2.13',
    'a Contact that needs brackets',
    [405],
    message('REGISTER', { contact: 'sip:user@example.com?Route=%3Csip:sip.example.com%3E' }),
  ),
  row(
    '4475 3.1.2.14',
    'spaces inside of brackets',
    [200],
    message('OPTIONS', { to: '"Watson, Thomas" < sip:t.watson@example.org >' }),
  ),
  row(
    '4475 3.1.2.15',
    'a name with a comma and without quotes',
    [200],
    message('OPTIONS', { from: 'Bell, Alexander <sip:a.g.bell@example.com>;tag=43' }),
  ),
  row(
    '4475 3.1.2.16',
    'a version that nobody speaks',
    [505],
    message('OPTIONS', { start: 'OPTIONS sip:t.watson@example.org SIP/7.0' }),
  ),
  row('4475 3.1.2.17', 'a CSeq of another method', [400], message('OPTIONS', { cseq: '8 INVITE' })),
  row(
    '4475 3.1.2.18',
    'a CSeq of another method, both unknown',
    [400],
    message('NEWMETHOD', { cseq: '8 OTHERMETHOD' }),
  ),
  row(
    '4475 3.1.2.19',
    'a status of ten digits',
    [],
    message('INVITE', { start: 'SIP/2.0 4294967301 better not break the receiver' }),
  ),
]

export const semantic: readonly Torture[] = [
  row(
    '4475 3.2.1',
    'a branch that is only the cookie',
    [200],
    message('OPTIONS', { via: 'SIP/2.0/UDP 192.0.2.2;branch=z9hG4bK' }),
  ),
  row(
    '4475 3.3.1',
    'no Call-ID, From and To',
    [400],
    'INVITE sip:user@example.com SIP/2.0\nCSeq: 193942 INVITE\nVia: SIP/2.0/UDP 192.0.2.2;branch=z9hG4bKkdj.insuf\nContent-Length: 0\n\n',
  ),
  row(
    '4475 3.3.2',
    'a scheme that nobody knows',
    [416],
    message('OPTIONS', { start: 'OPTIONS nobodyKnowsThisScheme:totallyopaquecontent SIP/2.0' }),
  ),
  row(
    '4475 3.3.3',
    'a scheme of something else',
    [416],
    message('OPTIONS', { start: 'OPTIONS soap.beep://192.0.2.103:3002 SIP/2.0' }),
  ),
  row(
    '4475 3.3.4',
    'unknown schemes in From and To',
    [405],
    message('REGISTER', { to: 'isbn:2983792873', from: '<http://www.example.com>;tag=3234233' }),
  ),
  row(
    '4475 3.3.5',
    'extensions that we do not have',
    [420],
    message('OPTIONS', {
      more: 'Require: nothingSupportsThis, nothingSupportsThisEither\nProxy-Require: noProxiesSupportThis',
    }),
  ),
  row(
    '4475 3.3.6',
    'a body of a kind that nobody knows',
    [415],
    message('INVITE', { body: '' })
      .replace('Content-Length: 0', 'Content-Type: application/unknownformat\nContent-Length: 5')
      .concat('<au/>'),
  ),
  row(
    '4475 3.3.7',
    'an Authorization of a scheme that nobody knows',
    [405],
    message('REGISTER', { more: 'Authorization: NoOneKnowsThisScheme opaque-data=here' }),
  ),
  row(
    '4475 3.3.8',
    'several values where there may be one',
    [400],
    message('INVITE', {
      more: 'Call-ID: multi01.2\nFrom: sip:c@example.net;tag=2\nTo: sip:u@example.com\nCSeq: 59 INVITE\nMax-Forwards: 5',
    }),
  ),
  row(
    '4475 3.3.9',
    'two different Content-Lengths',
    [400],
    message('OPTIONS', { more: 'Content-Length: 13' }),
  ),
  row(
    '4475 3.3.10',
    'an answer to nobody, by broadcast',
    [],
    message('INVITE', { start: 'SIP/2.0 200 OK', via: 'SIP/2.0/UDP 192.0.2.198;branch=z9hG4bK1324923' }),
  ),
  row('4475 3.3.11', 'Max-Forwards of 0: it is for us', [200], message('OPTIONS', { maxForwards: '0' })),
  row(
    '4475 3.3.12',
    'a parameter of Contact that nobody knows',
    [405],
    message('REGISTER', { contact: 'sip:+19725552222@gw1.example.net;unknownparam' }),
  ),
  row(
    '4475 3.3.13',
    'a parameter of an address in Contact',
    [405],
    message('REGISTER', { contact: '<sip:+19725552222@gw1.example.net;unknownparam>' }),
  ),
  row(
    '4475 3.3.14',
    'a header in an address in Contact',
    [405],
    message('REGISTER', { contact: '<sip:user@example.com?Route=%3Csip:sip.example.com%3E>' }),
  ),
  row(
    '4475 3.3.15',
    'an answer that the caller would not understand',
    [100, 180],
    message('INVITE', { more: 'Accept: text/nobodyKnowsThis' }),
  ),
  row(
    '4475 3.4.1',
    'an INVITE of RFC 2543: no branch, no tag, no Max-Forwards',
    [100, 180],
    `INVITE sip:UserB@example.com SIP/2.0
Via: SIP/2.0/UDP 192.0.2.2
From: <sip:iuser@example.com>
Record-Route: <sip:UserB@example.com;maddr=ss1.example.com>
To: sip:+16505552222@ss1.example.net;user=phone
Call-ID: inv2543.1717@ift.client.example.com
CSeq: 56 INVITE
Content-Type: application/sdp
Contact: <sip:iuser@192.0.2.2>

${sdp}`,
  ),
]

const six = (parts: Parts): string =>
  message('OPTIONS', { start: 'OPTIONS sip:user@[2001:db8::10] SIP/2.0', ...parts })

export const ipv6: readonly Torture[] = [
  row(
    '5118 4.1',
    'an IPv6 address in brackets',
    [200],
    six({ via: 'SIP/2.0/UDP [2001:db8::9:1];branch=z9hG4bKas3-111' }),
  ),
  row(
    '5118 4.2',
    'an IPv6 address without brackets',
    [400],
    six({ start: 'OPTIONS sip:2001:db8::10 SIP/2.0' }),
  ),
  row(
    '5118 4.3',
    'a port after the brackets',
    [200],
    six({ start: 'OPTIONS sip:[2001:db8::10]:5070 SIP/2.0' }),
  ),
  row(
    '5118 4.4',
    'a port inside of the brackets',
    [200],
    six({ start: 'OPTIONS sip:[2001:db8::10:5070] SIP/2.0' }),
  ),
  row(
    '5118 4.5',
    'brackets around the address in received',
    [200],
    six({ via: 'SIP/2.0/UDP [2001:db8::9:1];received=[2001:db8::9:255];branch=z9hG4bKas3-111b' }),
  ),
  row(
    '5118 4.5',
    'no brackets around the address in received',
    [200],
    six({ via: 'SIP/2.0/UDP [2001:db8::9:1];received=2001:db8::9:255;branch=z9hG4bKas3' }),
  ),
  row(
    '5118 4.7',
    'several kinds of addresses in Via',
    [200],
    six({
      more: 'Via: SIP/2.0/UDP [2001:db8::9:1];branch=z9hG4bKas3-112\nVia: SIP/2.0/TCP 192.0.2.16;branch=z9hG4bKas3-113',
    }),
  ),
  row(
    '5118 4.8',
    'several kinds of addresses in SDP',
    [100, 180],
    message('INVITE', { body: sdp.replace('m=video', 'c=IN IP6 2001:db8::20\nm=video') }),
  ),
  row(
    '5118 4.9',
    'an IPv4 address inside of an IPv6 address',
    [200],
    six({ contact: '<sip:caller@[::ffff:192.0.2.10]>' }),
  ),
  row(
    '5118 4.10',
    'a textual form with all its zeros',
    [200],
    six({ start: 'OPTIONS sip:user@[2001:0db8:0000:0000:0000:0000:0000:0010] SIP/2.0' }),
  ),
]

/** Answers without a reason, or with an unusual one: they belong to nothing here and are only read. */
export const responses: readonly Torture[] = [
  row(
    '4475 3.1.1.12',
    'a reason with characters of every alphabet',
    [],
    message('INVITE', { start: 'SIP/2.0 200 = 2**3 * 5**2 но сто девяносто девять - простое' }),
  ),
  row('4475 3.1.1.13', 'an empty reason', [], message('INVITE', { start: 'SIP/2.0 100 ' })),
]

export const allTorture: readonly Torture[] = [...valid, ...invalid, ...semantic, ...ipv6, ...responses]
