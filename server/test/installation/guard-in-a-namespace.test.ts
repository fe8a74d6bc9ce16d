// The outbound guard against malicious DNS: a network namespace with its own name server, a receiver on public
// addresses and canaries on private ones. A canary records every connection; with the guard on there must be none.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { describeUnless } from '../props/unless.ts'
import { canaryAddresses, publicAddresses, type World } from '../support/namespace/commands.ts'
import { canOpenNamespace, domain, type Namespace, openNamespace } from '../support/namespace/namespace.ts'

const [public4, public6] = publicAddresses
const hosts = `127.0.0.1 localhost\n10.0.0.1 private-in-hosts.${domain}\n${public4} public-in-hosts.${domain} # ours\n`
const notPublic = 'Points at an address that is not public.'
const refused = { kind: 'refused', message: 'refused: points at an address that is not public' }
const at = (name: string, path = '/in') => `https://${name}.${domain}${path}`

const absent = canOpenNamespace() ? undefined : 'only root can open network namespaces'

describeUnless(absent, 'inside a network namespace', () => {
  let space: Namespace
  let before: World

  beforeAll(async () => {
    space = await openNamespace(hosts)
    before = await space.observe()
  })
  afterAll(() => space?.close())

  const name = (label: string, ...turns: Parameters<Namespace['name']>[1][]) =>
    space.name(`${label}.${domain}`, ...turns)

  const news = async () => {
    const now = await space.observe()
    const seen = {
      delivered: now.delivered.slice(before.delivered.length),
      canary: now.canary.slice(before.canary.length),
    }
    before = now
    return seen
  }

  describe('with the guard on, no canary is touched', () => {
    afterEach(async () => expect((await news()).canary).toEqual([]))

    it.each([
      ['IPv4', [public4]],
      ['IPv6', [public6]],
      ['both', [public4, public6]],
    ])('a name with public addresses is accepted and delivered to: %s', async (_family, addresses) => {
      await name('good', addresses)
      expect(await space.inspect(at('good'))).toBe('ok')
      expect(await space.send(at('good'))).toEqual({ status: 200 })
      expect((await news()).delivered).toEqual([`good.${domain}/in`])
    })

    it('a public IP literal is delivered to', async () => {
      expect(await space.send(`https://${public4}/`)).toEqual({ status: 200 })
      expect(await space.send(`https://[${public6}]/`)).toEqual({ status: 200 })
    })

    it('a public address that does not answer is followed by one that does', async () => {
      await name('half-dead', ['93.184.216.35', '2606:4700:4700::1112', public4])
      expect(await space.send(at('half-dead'))).toEqual({ status: 200 })
    })

    it.each(canaryAddresses.map((address) => [address]))(
      'a name that answers %s is refused',
      async (address) => {
        await name('private', [address])
        expect(await space.inspect(at('private'))).toBe(notPublic)
        expect(await space.send(at('private'))).toEqual(refused)
      },
    )

    it.each([
      ['first', ['10.0.0.1', public4]],
      ['last', [public4, '10.0.0.1']],
      ['of the other family', [public4, '::1']],
      ['mapped into the other family', [public4, '::ffff:169.254.169.254']],
      ['among many', [...Array.from({ length: 9 }, (_, n) => `93.184.216.${n}`), '127.0.0.1']],
    ])('one private address %s refuses the whole name', async (_where, addresses) => {
      await name('mixed', addresses)
      expect(await space.inspect(at('mixed'))).toBe(notPublic)
      expect(await space.send(at('mixed'))).toEqual(refused)
    })

    it('a name that is public at registration and private at delivery is refused at delivery', async () => {
      await name('rebinding', [public4], ['127.0.0.1'])
      expect(await space.inspect(at('rebinding'))).toBe('ok')
      expect(await space.send(at('rebinding'))).toEqual(refused)
    })

    it('one lookup decides a connection: there is no second one', async () => {
      await name('after-the-check', [public4], ['127.0.0.1'])
      expect(await space.send(at('after-the-check'))).toEqual({ status: 200 })
      expect((await space.observe()).asked).toMatchObject({ [`after-the-check.${domain} A`]: 1 })
    })

    it('a name that changes with every lookup is delivered to a public address or not at all', async () => {
      await name(
        'flickering',
        [public4],
        ['127.0.0.1'],
        [public4],
        ['169.254.169.254'],
        [public4, '10.0.0.1'],
      )
      const outcomes = await space.sendOften(at('flickering'), 50)
      const turns = Array.from({ length: 10 }, () => [
        { status: 200 },
        refused,
        { status: 200 },
        refused,
        refused,
      ])
      expect(outcomes).toEqual(turns.flat())
      expect((await news()).delivered).toHaveLength(20)
    })

    it('a name that is an alias of a private one is refused', async () => {
      await name('alias', ['metadata.google.internal=169.254.169.254'])
      expect(await space.inspect(at('alias'))).toBe(notPublic)
      expect(await space.send(at('alias'))).toEqual(refused)
    })

    it('an alias of a public name is delivered to', async () => {
      await name('alias-of-good', [`good.${domain}=${public4}`])
      expect(await space.send(at('alias-of-good'))).toEqual({ status: 200 })
    })

    it.each([
      'http://127.0.0.1/',
      'http://169.254.169.254/latest/meta-data/',
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://localhost/',
    ])('a redirect to %s is not followed', async (location) => {
      await name('good', [public4])
      const path = `/?to=${encodeURIComponent(location)}`
      expect(await space.send(at('good', path))).toEqual({ status: 302 })
      expect((await news()).delivered).toEqual([`good.${domain}${path}`])
    })

    it.each([
      ['https://127.0.0.1/', 'refused: points at 127.0.0.1, which is not a public address'],
      ['http://169.254.169.254/', 'refused: must use https'],
      [at('hop'), 'refused: points at an address that is not public'],
    ])('a client that follows a redirect to %s is refused there', async (location, message) => {
      await name('good', [public4])
      await name('hop', ['10.0.0.1'])
      expect(await space.fetch(at('good', `/?to=${encodeURIComponent(location)}`))).toBe(message)
    })

    it.each([
      ['https://127.0.0.1/', '127.0.0.1'],
      ['https://0x7f.1/', '127.0.0.1'],
      ['https://10.0.0.1/', '10.0.0.1'],
      ['https://169.254.169.254/latest/meta-data/', '169.254.169.254'],
      ['https://2852039166/', '169.254.169.254'],
      ['https://[::1]/', '::1'],
      ['https://[fd00:ec2::254]/', 'fd00:ec2::254'],
      ['https://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
      ['https://[::ffff:169.254.169.254]/', '::ffff:a9fe:a9fe'],
    ])('the literal %s is refused', async (url, host) => {
      expect(await space.inspect(url)).toBe(`Points at ${host}, which is not a public address.`)
      expect(await space.send(url)).toMatchObject({ kind: 'refused' })
    })

    it.each(['https://localhost/', 'https://metadata.google.internal/', 'http://good.receiver.net/'])(
      '%s is refused by its text',
      async (url) => {
        expect(await space.send(url)).toMatchObject({ kind: 'refused' })
      },
    )

    it('a name that does not resolve yet is accepted, and delivered to once it does', async () => {
      await name('early', 'unknown', [public4])
      expect(await space.inspect(at('early'))).toBe('ok')
      expect(await space.send(at('early'))).toEqual({ status: 200 })
    })

    it('a name that does not resolve yet is accepted, and refused once it turns out private', async () => {
      await name('early-and-private', 'unknown', ['10.0.0.1'])
      expect(await space.inspect(at('early-and-private'))).toBe('ok')
      expect(await space.send(at('early-and-private'))).toEqual(refused)
    })

    it('a name that does not exist fails as such', async () => {
      const unresolved = { kind: 'dns', message: 'the name does not resolve' }
      expect(await space.send(at('nowhere'))).toEqual(unresolved)
      expect(await space.send(at('nowhere'), { allowPrivate: true })).toEqual(unresolved)
    })

    it('a name server that does not answer costs no more than the timeout', async () => {
      await name('silent', 'silence')
      expect(await space.inspect(at('silent'))).toBe('ok')
      expect(await space.send(at('silent'), {}, 1_000)).toEqual({
        kind: 'timeout',
        message: 'timed out after 1 s',
      })
    })

    it('lookups without an answer do not delay other names', async () => {
      const silent = Array.from({ length: 16 }, (_, n) => `silent-${n}`)
      for (const label of silent) await name(label, 'silence')
      await name('good', [public4])
      const done = await space.race([...silent.map((label) => at(label)), at('good')], 2_000)
      expect(done[0]).toBe(at('good'))
      expect(done).toHaveLength(17)
    })

    it('addresses from the hosts file are checked too', async () => {
      expect(await space.send(at('public-in-hosts'))).toEqual({ status: 200 })
      expect(await space.inspect(at('private-in-hosts'))).toBe(notPublic)
      expect(await space.send(at('private-in-hosts'))).toEqual(refused)
    })

    it('a certificate for another name is refused', async () => {
      await space.name('hooks.elsewhere.net', [public4])
      expect(await space.send('https://hooks.elsewhere.net/')).toEqual({
        kind: 'tls',
        message: 'the certificate is for another name',
      })
    })
  })

  describe('with the guard off, canaries are reached, so the tests above can fail', () => {
    const off = { allowPrivate: true }

    it.each(canaryAddresses.map((address) => [address]))('a name that answers %s', async (address) => {
      await name('private', [address])
      expect(await space.inspect(at('private'), off)).toBe('ok')
      expect(await space.send(at('private'), off)).toEqual({ status: 200 })
      expect((await news()).canary).toEqual([`${address}:443`])
    })

    it('a rebound name', async () => {
      await name('rebinding', ['127.0.0.1'])
      expect(await space.send(at('rebinding'), off)).toEqual({ status: 200 })
      expect((await news()).canary).toEqual(['127.0.0.1:443'])
    })

    it('a redirect that is followed', async () => {
      await name('good', [public4])
      expect(await space.fetch(at('good', '/?to=http://169.254.169.254/'), off)).toBe('200')
      expect((await news()).canary).toEqual(['169.254.169.254:80'])
    })

    it('a literal, and plain http', async () => {
      expect(await space.send('http://169.254.169.254/', off)).toEqual({ status: 200 })
      expect((await news()).canary).toEqual(['169.254.169.254:80'])
    })
  })

  it('a host that the operator trusts may be private, and only that one', async () => {
    const trusting = { trustedHosts: [`llm.${domain}:80`] }
    await name('llm', ['10.0.0.1'])
    expect(await space.inspect(`http://llm.${domain}/`, trusting)).toBe('ok')
    expect(await space.send(`http://llm.${domain}/`, trusting)).toEqual({ status: 200 })
    expect((await news()).canary).toEqual(['10.0.0.1:80'])
    expect(await space.send(at('llm'), trusting)).toEqual(refused)
    await name('other', ['10.0.0.1'])
    expect(await space.send(at('other'), trusting)).toEqual(refused)
    expect((await news()).canary).toEqual([])
  })
})
