import { describe, expect, it } from 'vitest'
import { authorize, isRight, parseAnswer, parseChallenge, printChallenge, strongest } from './digest.ts'

const mufasa = { username: 'Mufasa', password: 'Circle of Life' }
const http = { method: 'GET', uri: '/dir/index.html' }

// RFC 7616 §3.9.1.
const challenge = (algorithm: string) =>
  parseChallenge(
    `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`,
  )
const nonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ'

describe('the answer to a challenge', () => {
  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('by %s is that of RFC 7616', (algorithm, response) => {
    const asked = challenge(algorithm)
    if (!asked) throw new Error('not read')
    const answer = parseAnswer(
      authorize(asked, { username: 'Mufasa', password: 'Circle of Life' }, http, 1, nonce),
    )
    expect(answer?.response).toBe(response)
  })

  it('without qop is that of RFC 2617', () => {
    const asked = parseChallenge(
      'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"',
    )
    if (!asked) throw new Error('not read')
    const answer = authorize(asked, { ...mufasa, password: 'Circle Of Life' }, http, 1, 'x')
    expect(answer).toContain('response="670fd8c2df070c60b045671b8b24ff02"')
    expect(answer).not.toContain('qop')
  })

  it('counts the uses of a nonce', () => {
    const asked = challenge('MD5')
    if (!asked) throw new Error('not read')
    expect(authorize(asked, mufasa, http, 17, 'c')).toContain('nc=00000011')
  })

  it('is checked, whatever characters a name has', () => {
    const asked = {
      realm: 'a "b" \\ c',
      nonce: 'n',
      opaque: 'o',
      algorithm: 'MD5',
      qop: 'auth',
      stale: false,
    } as const
    const who = { username: 'we"ird\\', password: 'p' }
    const answer = parseAnswer(authorize(asked, who, http, 1, 'c'))
    if (!answer) throw new Error('not read')
    expect(answer).toMatchObject({ username: 'we"ird\\', realm: 'a "b" \\ c' })
    expect(isRight(answer, 'p', 'GET')).toBe(true)
    expect(isRight(answer, 'q', 'GET')).toBe(false)
    expect(isRight(answer, 'p', 'POST')).toBe(false)
  })
})

describe('a challenge', () => {
  it('survives being printed', () => {
    const asked = {
      realm: 'r',
      nonce: 'n',
      opaque: null,
      algorithm: 'SHA-256',
      qop: 'auth',
      stale: true,
    } as const
    expect(parseChallenge(printChallenge(asked))).toEqual(asked)
  })

  it.each([
    'Basic realm="x"',
    'Digest realm="x"',
    'Digest nonce="x"',
    'Digest realm="x", nonce="y", algorithm=AKAv1-MD5',
    'Digest realm="x", nonce="y", qop="auth-int"',
    '',
  ])('that we cannot answer is not read: %s', (header) => expect(parseChallenge(header)).toBeNull())

  it('by SHA-256 is preferred', () => {
    const both = [challenge('MD5'), challenge('SHA-256')].filter((one) => one !== null)
    expect(strongest(both)?.algorithm).toBe('SHA-256')
  })
})
