// The guard's verdicts on addresses as people and attackers write them. Nothing here is ever connected to.
import { afterEach, describe, expect, it } from 'vitest'
import { type Guard, type GuardOptions, openGuard } from './guard.ts'
import { orTrusted } from './rules.ts'

const strict: GuardOptions = { allowPrivate: false, trustedHosts: [] }
const opened: Guard[] = []

function open(options: Partial<GuardOptions> = {}): Guard {
  const guard = openGuard({ ...strict, ...options })
  opened.push(guard)
  return guard
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((guard) => guard.close()))
})

const reasonFor = (address: string, options?: Partial<GuardOptions>) => {
  const verdict = open(options).check(address)
  return verdict.ok ? 'ok' : verdict.reason
}

describe('checking the text of an address', () => {
  it.each([
    'https://hooks.example.com',
    'https://hooks.example.com:8443/a?b=c#d',
    'HTTPS://HOOKS.EXAMPLE.COM/',
    'https://hooks.example.com./with-the-final-dot',
    'https://bücher.example/',
    'https://xn--bcher-kva.example/',
    'https://under_score.example.com/',
    'https://8.8.8.8/',
    'https://0x08.0x08.0x08.0x08/',
    'https://134744072/',
    'https://[2606:4700:4700::1111]/',
    'https://localhost.example.com/',
    'https://internal.example.com/',
    'https://my-local.com/',
    'https://hooks.notlocal/',
  ])('%s passes', (address) => {
    expect(reasonFor(address)).toBe('ok')
  })

  it.each([
    ['', 'Must be a web address.'],
    ['hooks.example.com', 'Must be a web address.'],
    ['//hooks.example.com', 'Must be a web address.'],
    ['https://', 'Must be a web address.'],
    ['https://hooks.example.com:99999/', 'Must be a web address.'],
    ['https://1.2.3.4.5/', 'Must be a web address.'],
    ['https://256.1.1.1/', 'Must be a web address.'],
    ['https://[::1%25lo]/', 'Must be a web address.'],
    ['https://exa mple.com/', 'Must be a web address.'],
    ['https://hooks..example.com/', 'Must be a web address.'],
    ['https://hooks.example.com../', 'Must be a web address.'],
    ['http://hooks.example.com/', 'Must use https.'],
    ['ftp://hooks.example.com/', 'Must use https.'],
    ['file:///etc/passwd', 'Must use https.'],
    ['javascript:alert(1)', 'Must use https.'],
    ['wss://hooks.example.com/', 'Must use https.'],
    ['https://user@hooks.example.com/', 'Must not contain a user name or a password.'],
    ['https://user:word@hooks.example.com/', 'Must not contain a user name or a password.'],
    ['https://:word@hooks.example.com/', 'Must not contain a user name or a password.'],
    ['https://hooks.example.com@10.0.0.1/', 'Must not contain a user name or a password.'],
    ['https://hooks.example.com:0/', 'Must not use port 0.'],
    ['https://hooks.example.com:00000/', 'Must not use port 0.'],
  ])('%s is refused: %s', (address, reason) => {
    expect(reasonFor(address)).toBe(reason)
  })

  it.each([
    ['https://127.0.0.1/', '127.0.0.1'],
    ['https://127.0.0.1./', '127.0.0.1'],
    ['https://127.1/', '127.0.0.1'],
    ['https://0x7f.1/', '127.0.0.1'],
    ['https://0x7f000001/', '127.0.0.1'],
    ['https://2130706433/', '127.0.0.1'],
    ['https://0177.0.0.1/', '127.0.0.1'],
    ['https://017700000001/', '127.0.0.1'],
    ['https://%31%32%37.0.0.1/', '127.0.0.1'],
    ['https://１２７.０.０.１/', '127.0.0.1'],
    ['https://127。0。0。1/', '127.0.0.1'],
    ['https://①②⑦.0.0.1/', '127.0.0.1'],
    ['https:\\\\127.0.0.1\\', '127.0.0.1'],
    ['https:/127.0.0.1/', '127.0.0.1'],
    [' https://127.0.\t0.1/\n', '127.0.0.1'],
    ['https://0/', '0.0.0.0'],
    ['https://10.1/', '10.0.0.1'],
    ['https://169.254.169.254/latest/meta-data', '169.254.169.254'],
    ['https://0xa9fea9fe/', '169.254.169.254'],
    ['https://2852039166/', '169.254.169.254'],
    ['https://168.63.129.16/', '168.63.129.16'],
    ['https://[::]/', '::'],
    ['https://[::1]/', '::1'],
    ['https://[0:0:0:0:0:0:0:1]:8443/', '::1'],
    ['https://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
    ['https://[::ffff:8.8.8.8]/', '::ffff:808:808'],
    ['https://[::127.0.0.1]/', '::7f00:1'],
    ['https://[64:ff9b::10.0.0.1]/', '64:ff9b::a00:1'],
    ['https://[2002:7f00:1::]/', '2002:7f00:1::'],
    ['https://[FD00:EC2::254]/', 'fd00:ec2::254'],
    ['https://[fe80::1]/', 'fe80::1'],
  ])('%s is refused as %s', (address, host) => {
    expect(reasonFor(address)).toBe(`Points at ${host}, which is not a public address.`)
  })

  it.each(['localhost', 'LOCALHOST.', 'intranet', 'metadata', 'ﬁle', 'local', 'internal'])(
    'the single label %s is refused',
    (host) => {
      expect(reasonFor(`https://${host}/`)).toMatch(/^Must name a public host: a full name/)
    },
  )

  it.each([
    ['printer.local', 'local'],
    ['printer.LOCAL.', 'local'],
    ['api.ns.svc.cluster.local', 'local'],
    ['metadata.google.internal', 'internal'],
    ['metadata.google.internal.', 'internal'],
    ['metadata.google.%69nternal', 'internal'],
    ['ip-10-0-0-1.ec2.internal', 'internal'],
    ['api.ns.svc', 'svc'],
    ['app.localhost', 'localhost'],
    ['a.b.LocalHost', 'localhost'],
    ['ａｐｐ．ｌｏｃａｌｈｏｓｔ', 'localhost'],
    ['router.home.arpa', 'home.arpa'],
    ['home.arpa', 'home.arpa'],
    ['localhost.localdomain', 'localdomain'],
    ['LOCALHOST.LocalDomain.', 'localdomain'],
    ['db.localdomain', 'localdomain'],
    ['localhost6.localdomain6', 'localdomain6'],
    ['nas.lan', 'lan'],
    ['wiki.corp', 'corp'],
    ['router.home', 'home'],
    ['app.intranet', 'intranet'],
    ['db.private', 'private'],
    ['hidden.onion', 'onion'],
    ['nowhere.invalid', 'invalid'],
  ])('the private name %s is refused', (host, suffix) => {
    expect(reasonFor(`https://${host}/`)).toBe(`Must name a public host: .${suffix} is private.`)
  })

  const label = 'a'.repeat(63)
  const longest = [label, label, label, 'b'.repeat(57), 'com'].join('.')

  it.each([`${label}.example.com`, longest, `${longest}.`])('%s is not too long', (host) => {
    expect(reasonFor(`https://${host}/`)).toBe('ok')
  })

  it.each([
    [`${label}a.example.com`, 'at most 63 characters between two dots'],
    // 60 letters that become more than 63 in punycode.
    [`${'ü'.repeat(60)}.example.com`, 'at most 63 characters between two dots'],
    [`b${longest}`.replace('ba', 'b.a'), 'at most 253 characters'],
  ])('%s is too long', (host, limit) => {
    expect(reasonFor(`https://${host}/`)).toBe(`Must name a public host: ${limit}.`)
  })

  it('a verdict contains the parsed address', () => {
    expect(open().check('https:\\\\HOOKS.example.com:443\\in')).toMatchObject({
      ok: true,
      url: new URL('https://hooks.example.com/in'),
    })
  })
})

describe('trusted hosts', () => {
  it.each([
    ['llm', 'http://llm/v1'],
    ['llm', 'https://llm:8443/v1'],
    ['LLM:8000', 'http://llm:8000/v1'],
    ['llm.', 'http://llm/'],
    ['llm:80', 'http://llm/'],
    ['llm:443', 'https://llm/'],
    ['10.0.0.5', 'http://10.0.0.5:11434/'],
    ['10.0.0.5:11434', 'http://10.0.0.5:11434/'],
    ['fd00::5', 'http://[fd00::5]:8080/'],
    ['[fd00::5]:8080', 'http://[fd00::5]:8080/'],
    ['ollama.internal', 'http://ollama.internal/'],
    ['bücher.local', 'http://xn--bcher-kva.local/'],
    ['localhost.localdomain', 'https://localhost.localdomain/'],
  ])('%s allows %s', (host, address) => {
    expect(reasonFor(address, { trustedHosts: ['other', host] })).toBe('ok')
  })

  it.each([
    ['llm:8000', 'http://llm:8001/', 'Must use https.'],
    ['llm:80', 'http://llm:443/', 'Must use https.'],
    ['llm', 'http://sub.llm/', 'Must use https.'],
    ['llm', 'ftp://llm/', 'Must use https.'],
    ['llm', 'http://user@llm/', 'Must not contain a user name or a password.'],
    ['llm', 'http://llm:0/', 'Must not use port 0.'],
    ['10.0.0.5', 'https://10.0.0.6/', 'Points at 10.0.0.6, which is not a public address.'],
    ['llm', 'https://llm.local/', 'Must name a public host: .local is private.'],
  ])('%s does not allow %s', (host, address, reason) => {
    expect(reasonFor(address, { trustedHosts: [host] })).toBe(reason)
  })

  it.each([
    'http://llm/',
    'https://llm/',
    'https://10.0.0.5/',
    'https://llm.local/',
    'ftp://llm/',
    'https://user@llm/',
    'https://llm:0/',
    `https://${'a'.repeat(64)}.local/`,
  ])('a user who gives %s is told of them only if that helps', (address) => {
    const refused = open().check(address)
    const trusted = open({ trustedHosts: [new URL(address).hostname] }).check(address)
    expect(!refused.ok && orTrusted(refused, 'model').includes('PARLEY_TRUSTED_HOSTS')).toBe(trusted.ok)
  })

  it.each(['http://llm', 'llm/path', 'user@llm', 'llm:port', 'a b', 'llm?x'])(
    'the setting "%s" is not a host and is refused at startup',
    (entry) => {
      expect(() => openGuard({ ...strict, trustedHosts: [entry] })).toThrow(/^PARLEY_TRUSTED_HOSTS must be/)
    },
  )
})

describe('with private addresses allowed', () => {
  it.each([
    'http://localhost:3000/',
    'http://127.0.0.1/',
    'https://[::1]/',
    'http://printer.local/',
    'http://nas/',
  ])('%s passes', (address) => {
    expect(reasonFor(address, { allowPrivate: true })).toBe('ok')
  })

  it.each(['ftp://localhost/', 'http://user@localhost/', 'http://localhost:0/', 'localhost:3000/'])(
    '%s is still refused',
    (address) => {
      expect(reasonFor(address, { allowPrivate: true })).not.toBe('ok')
    },
  )
})

describe('inspecting', () => {
  it('refuses by the text, without a DNS lookup', async () => {
    expect(await open().inspect('https://printer.local/')).toMatchObject({ ok: false })
  })

  it('accepts a public literal', async () => {
    expect(await open().inspect('https://8.8.8.8/')).toMatchObject({ ok: true })
  })

  it('does not look up a trusted host', async () => {
    expect(await open({ trustedHosts: ['llm'] }).inspect('http://llm/')).toMatchObject({ ok: true })
  })
})

describe('the dispatcher used with fetch', () => {
  it.each([
    ['https://127.0.0.1:1/', 'refused: points at 127.0.0.1, which is not a public address'],
    ['https://[::ffff:127.0.0.1]:1/', 'refused: points at ::ffff:7f00:1, which is not a public address'],
    ['http://127.0.0.1:1/', 'refused: must use https'],
    ['https://localhost:1/', 'refused: must name a public host: a full name with a domain'],
  ])('refuses %s', async (address, message) => {
    const { origin, pathname: path } = new URL(address)
    const answer = open().dispatcher.request({ origin, path, method: 'GET' })
    await expect(answer).rejects.toMatchObject({ kind: 'refused', message })
  })
})
