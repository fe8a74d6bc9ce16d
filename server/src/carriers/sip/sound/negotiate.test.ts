// Offers and answers as trunks, PBXs and telephones write them.
import { describe, expect, it } from 'vitest'
import type { CodecName } from './codecs.ts'
import {
  type Agreement,
  answerOffer,
  makeOffer,
  type OwnMedia,
  readAnswer,
  SdpVersions,
} from './negotiate.ts'
import { parseSdp } from './sdp.ts'

const key = Buffer.alloc(30, 7).toString('base64')
const theirKey = Buffer.alloc(30, 9).toString('base64')

const own = (parts: Partial<OwnMedia> = {}): OwnMedia => ({
  sessionId: '77',
  address: '192.0.2.10',
  port: 10_000,
  codecs: ['PCMU', 'PCMA', 'G722'],
  srtp: 'off',
  key,
  ...parts,
})

const sdp = (...media: string[]) =>
  ['v=0', 'o=- 1 1 IN IP4 192.0.2.1', 's=-', 'c=IN IP4 192.0.2.1', 't=0 0', ...media, ''].join('\r\n')
const plain = ['m=audio 4000 RTP/AVP 8 0 101', 'a=rtpmap:101 telephone-event/8000', 'a=fmtp:101 0-16']

function agreed(negotiated: ReturnType<typeof answerOffer>): { agreement: Agreement; sdp: string } {
  if (negotiated.is === 'refused') throw new Error(negotiated.reason)
  return negotiated
}
const answer = (offer: string, parts: Partial<OwnMedia> = {}, weHold = false) =>
  agreed(answerOffer(offer, own(parts), 1, weHold))
const refusal = (offer: string, parts: Partial<OwnMedia> = {}) => {
  const negotiated = answerOffer(offer, own(parts), 1, false)
  return negotiated.is === 'refused' ? negotiated.reason : null
}

describe('an answer', () => {
  it("has one codec of the offer with the offer's numbers and parameters", () => {
    const offer = sdp(
      'm=audio 4000 RTP/AVP 96 97',
      'a=rtpmap:96 PCMA/8000',
      'a=rtpmap:97 telephone-event/8000',
      'a=fmtp:97 0-16',
    )
    const { agreement, sdp: text } = answer(offer)
    expect(text).toContain('m=audio 10000 RTP/AVP 96 97\r\n')
    expect(text).toContain('a=rtpmap:96 PCMA/8000')
    expect(text).toContain('a=fmtp:97 0-16')
    expect(agreement).toMatchObject({
      codec: 'PCMA',
      payloadType: 96,
      digits: { payloadType: 97, clockHz: 8_000 },
    })
  })

  it('prefers what we prefer', () => {
    expect(answer(sdp(...plain), { codecs: ['PCMU', 'PCMA'] }).agreement.codec).toBe('PCMU')
    expect(answer(sdp(...plain), { codecs: ['PCMA', 'PCMU'] }).agreement.codec).toBe('PCMA')
  })

  it('refuses an offer without a codec of ours, and says what was offered', () => {
    expect(refusal(sdp('m=audio 4000 RTP/AVP 18 3'))).toBe('No codec in common: the far end has G729, GSM.')
    expect(refusal(sdp('m=video 4000 RTP/AVP 96'))).toContain('no audio stream')
    expect(refusal('nonsense')).toContain('no audio stream')
  })

  it('refuses the streams beside the sound in their places', () => {
    const { sdp: text } = answer(sdp('m=video 5000 RTP/AVP 96', ...plain, 'm=image 0 udptl t38'))
    const ports = [...text.matchAll(/^m=(\w+) (\d+) (\S+)/gm)].map(
      ([, kind, port, protocol]) => `${kind} ${port} ${protocol}`,
    )
    expect(ports).toEqual(['video 0 RTP/AVP', 'audio 10000 RTP/AVP', 'image 0 udptl'])
  })

  it('repeats the protocol of the offer', () => {
    const feedback = sdp('m=audio 4000 RTP/AVPF 0')
    expect(answer(feedback).sdp).toContain('m=audio 10000 RTP/AVPF 0')
  })

  it('follows the packet length that is asked for, and the longest that is possible', () => {
    const ptimes = (...lines: string[]) => answer(sdp(...plain, ...lines)).agreement.ptimeMs
    expect([10, 20, 30, 40, 50, 60].map((ms) => ptimes(`a=ptime:${ms}`))).toEqual([10, 20, 30, 40, 50, 60])
    expect(ptimes()).toBe(20)
    expect(ptimes('a=ptime:200')).toBe(60)
    expect(ptimes('a=ptime:30', 'a=maxptime:20')).toBe(20)
    expect(ptimes('a=maxptime:10')).toBe(10)
    expect(ptimes('a=ptime:five')).toBe(20)
  })

  it('sends only as long packets of Opus as there are', () => {
    const opus = (ms: number) =>
      answer(sdp('m=audio 4000 RTP/AVP 96', 'a=rtpmap:96 opus/48000/2', `a=ptime:${ms}`), {
        codecs: ['opus'],
      }).agreement
    expect([10, 20, 30, 50, 60].map((ms) => opus(ms).ptimeMs)).toEqual([10, 20, 20, 40, 60])
  })

  it('has our own wishes for Opus, and events with its clock', () => {
    const offer = sdp(
      'm=audio 4000 RTP/AVP 107 101 102',
      'a=rtpmap:107 opus/48000/2',
      'a=fmtp:107 useinbandfec=1;maxplaybackrate=8000',
      'a=rtpmap:101 telephone-event/8000',
      'a=rtpmap:102 telephone-event/48000',
    )
    const { agreement, sdp: text } = answer(offer, { codecs: ['opus', 'PCMU'] })
    expect(text).toContain('a=rtpmap:107 opus/48000/2')
    expect(text).toMatch(/a=fmtp:107 useinbandfec=1;maxplaybackrate=16000/)
    expect(agreement).toMatchObject({ codec: 'opus', parameters: 'useinbandfec=1;maxplaybackrate=8000' })
    expect(agreement.digits).toEqual({ payloadType: 102, clockHz: 48_000, accepts: [101, 102] })
  })

  it.each([
    ['sendrecv', 'sendrecv', 'sendonly'],
    ['sendonly', 'recvonly', 'inactive'],
    ['recvonly', 'sendonly', 'sendonly'],
    ['inactive', 'inactive', 'inactive'],
  ])('to %s is %s, and %s while we hold', (offered, ours, held) => {
    const offer = sdp(...plain, `a=${offered}`)
    expect(answer(offer).sdp).toContain(`a=${ours}\r\n`)
    expect(answer(offer).agreement.direction).toBe(ours)
    expect(answer(offer, {}, true).agreement.direction).toBe(held)
  })

  it('takes the address 0.0.0.0 for a hold', () => {
    const held = sdp(...plain).replace('c=IN IP4 192.0.2.1', 'c=IN IP4 0.0.0.0')
    expect(answer(held).agreement.direction).toBe('recvonly')
    expect(answer(held.replace('t=0 0', 't=0 0\r\na=sendonly')).agreement.direction).toBe('recvonly')
    expect(answer(held.replace('t=0 0', 't=0 0\r\na=inactive')).agreement.direction).toBe('inactive')
  })

  it('reads where reports go: beside, elsewhere, or the same port', () => {
    const reports = (...lines: string[]) => answer(sdp(...plain, ...lines)).agreement.remoteRtcp
    expect(reports()).toEqual({ address: '192.0.2.1', port: 4_001 })
    expect(reports('a=rtcp:4500')).toEqual({ address: '192.0.2.1', port: 4_500 })
    expect(reports('a=rtcp:4500 IN IP4 192.0.2.2')).toEqual({ address: '192.0.2.2', port: 4_500 })
    expect(reports('a=rtcp-mux')).toEqual({ address: '192.0.2.1', port: 4_000 })
    expect(answer(sdp(...plain, 'a=rtcp-mux')).sdp).toContain('a=rtcp-mux')
    expect(answer(sdp(...plain)).sdp).not.toContain('a=rtcp-mux')
  })

  it('speaks IPv6', () => {
    const offer = sdp(...plain).replace('c=IN IP4 192.0.2.1', 'c=IN IP6 2001:db8::1')
    const { agreement, sdp: text } = answer(offer, { address: '2001:db8::2' })
    expect(agreement.remote).toEqual({ address: '2001:db8::1', port: 4_000 })
    expect(text).toContain('c=IN IP6 2001:db8::2')
  })
})

describe('encryption', () => {
  const crypto = (suite = 'AES_CM_128_HMAC_SHA1_80', rest = '') =>
    `a=crypto:3 ${suite} inline:${theirKey}${rest}`
  const secure = (...lines: string[]) => sdp('m=audio 4000 RTP/SAVP 0', ...lines)

  it.each(['optional', 'required'] as const)('is answered with our key when it is %s', (srtp) => {
    for (const offer of [secure(crypto()), sdp('m=audio 4000 RTP/AVP 0', crypto())]) {
      const { agreement, sdp: text } = answer(offer, { srtp })
      expect(text).toContain(`a=crypto:3 AES_CM_128_HMAC_SHA1_80 inline:${key}\r\n`)
      expect(agreement.crypto).toMatchObject({ ours: key, theirs: theirKey, theirMkiBytes: 0 })
    }
  })

  it('is left out when it is optional and not offered, or off', () => {
    expect(answer(sdp(...plain), { srtp: 'optional' }).agreement.crypto).toBeNull()
    expect(answer(sdp('m=audio 4000 RTP/AVP 0', crypto()), { srtp: 'off' }).agreement.crypto).toBeNull()
  })

  it('is refused in words when the two sides do not agree about it', () => {
    expect(refusal(secure(crypto()), { srtp: 'off' })).toContain('requires encryption')
    expect(refusal(sdp(...plain), { srtp: 'required' })).toContain('does not encrypt')
    expect(refusal(secure(crypto('AEAD_AES_256_GCM')), { srtp: 'required' })).toContain('requires encryption')
    expect(
      refusal(secure('a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:c2hvcnQ='), { srtp: 'optional' }),
    ).not.toBeNull()
  })

  it('takes the first suite that both have', () => {
    const offer = secure(
      'a=crypto:1 AES_256_CM_HMAC_SHA1_80 inline:AAAA',
      crypto('AES_CM_128_HMAC_SHA1_32', '|2^31'),
    )
    expect(answer(offer, { srtp: 'optional' }).agreement.crypto?.suite).toBe('AES_CM_128_HMAC_SHA1_32')
  })

  it('knows that packets name their key', () => {
    const offer = secure(crypto(undefined, '|2^31|1:4'))
    expect(answer(offer, { srtp: 'optional' }).agreement.crypto?.theirMkiBytes).toBe(4)
  })

  it('chooses between an encrypted and a plain stream', () => {
    const both = sdp('m=audio 4000 RTP/SAVP 0', crypto(), 'm=audio 4002 RTP/AVP 0')
    expect(answer(both, { srtp: 'off' }).agreement).toMatchObject({ crypto: null, remote: { port: 4_002 } })
    expect(answer(both, { srtp: 'off' }).sdp).toMatch(/m=audio 0 RTP\/SAVP 0\r\nm=audio 10000 RTP\/AVP 0/)
    expect(answer(both, { srtp: 'required' }).agreement.remote.port).toBe(4_000)
  })
})

describe('an offer', () => {
  const offered = (parts: Partial<OwnMedia>) => parseSdp(makeOffer(own(parts), 1))?.audio[0]

  it.each([
    ['off', 'RTP/AVP', 0],
    ['optional', 'RTP/AVP', 2],
    ['required', 'RTP/SAVP', 2],
  ] as const)('with encryption %s is %s with %i keys', (srtp, protocol, keys) => {
    expect(offered({ srtp })?.protocol).toBe(protocol)
    expect(offered({ srtp })?.crypto).toHaveLength(keys)
  })

  it('has every codec, events for every clock, and an answer may take several', () => {
    const codecs: CodecName[] = ['opus', 'PCMU', 'PCMA']
    expect(offered({ codecs })?.formats.map(({ name, clockHz }) => `${name}/${clockHz}`)).toEqual([
      ...['OPUS/48000', 'PCMU/8000', 'PCMA/8000', 'TELEPHONE-EVENT/48000', 'TELEPHONE-EVENT/8000'],
    ])
    const { agreement } = agreed(readAnswer(sdp(...plain), own({ codecs })))
    expect(agreement.accepts).toEqual([
      { payloadType: 0, codec: 'PCMU' },
      { payloadType: 8, codec: 'PCMA' },
    ])
  })

  it('is refused without audio or encryption', () => {
    const reason = (text: string, parts: Partial<OwnMedia> = {}) => {
      const negotiated = readAnswer(text, own(parts))
      return negotiated.is === 'refused' ? negotiated.reason : null
    }
    expect(reason(sdp('m=audio 0 RTP/AVP 0'))).toContain('without audio')
    expect(reason(sdp(...plain), { srtp: 'required' })).toContain('does not encrypt')
  })
})

describe('the version of a description', () => {
  it('grows only when something else has changed', () => {
    const versions = new SdpVersions()
    const print = (parts: Partial<OwnMedia>) =>
      versions.print(
        (version) => makeOffer(own(parts), version),
        (text) => text,
      )
    const versionOf = (text: string) => Number(/^o=parley 77 (\d+)/m.exec(text)?.[1])
    const texts = [{}, {}, { port: 10_002 }, { port: 10_002 }, {}].map(print)
    expect(texts.map(versionOf)).toEqual([1, 1, 2, 2, 3])
  })
})
