// Vaults: a key for each workspace, several secrets at once, and the form of earlier releases.
import { expect, it } from 'vitest'
import { openVault } from './secrets.ts'

const [mine, theirs] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
const [before, after] = ['the former secret', 'the present secret']
const former = openVault(before)
const both = openVault(after, [before])
const present = openVault(after)

it('opens what it has sealed, at its place and for its purpose only', () => {
  const sealed = present.seal(mine, 'keys', 'row 1', 'sk-1')
  expect(present.open('keys', 'row 1', sealed)).toBe('sk-1')
  expect(() => present.open('keys', 'row 2', sealed)).toThrow()
  expect(() => present.open('other keys', 'row 1', sealed)).toThrow()
  expect(present.open('keys', 'row 1', present.seal(null, 'keys', 'row 1', 'of nobody'))).toBe('of nobody')
})

it('has another key for every workspace', () => {
  const sealed = present.seal(mine, 'keys', 'row 1', 'sk-1')
  const moved = Buffer.from(sealed)
  Buffer.from(theirs.replaceAll('-', ''), 'hex').copy(moved, 12)
  expect(() => present.open('keys', 'row 1', moved)).toThrow()
})

it('opens and recognises what a previous secret has made, and makes nothing with it', () => {
  const sealed = former.seal(mine, 'keys', 'row 1', 'sk-1')
  const signed = former.sign('links', 'a link')
  expect(both.open('keys', 'row 1', sealed)).toBe('sk-1')
  expect(both.isSigned('links', 'a link', signed)).toBe(true)
  expect(both.isSigned('links', 'another link', signed)).toBe(false)
  expect(both.sign('links', 'a link')).toEqual(present.sign('links', 'a link'))
  expect(present.isSigned('links', 'a link', signed)).toBe(false)
  expect(() => present.open('keys', 'row 1', sealed)).toThrow(/with a secret that is not known here/)
})

it('seals with the secret that the installation is at, in the form that all of its processes read', () => {
  const vault = openVault(after, [before])
  vault.sealWith({ fingerprint: former.fingerprint, perWorkspace: false })
  const old = vault.seal(mine, 'keys', 'row 1', 'sk-1')
  expect(old).toHaveLength(12 + 16 + 4)
  expect(former.open('keys', 'row 1', old)).toBe('sk-1')
  expect(present.knows(former.fingerprint)).toBe(false)
  expect(() => present.sealWith({ fingerprint: former.fingerprint, perWorkspace: true })).toThrow()
  vault.sealWith({ fingerprint: present.fingerprint, perWorkspace: true })
  const sealed = vault.seal(mine, 'keys', 'row 1', vault.open('keys', 'row 1', old))
  expect(sealed.subarray(0, 12)).toEqual(vault.head)
  expect(present.open('keys', 'row 1', sealed)).toBe('sk-1')
})

it('learns a secret while it runs', () => {
  const vault = openVault(before)
  expect(vault.learn(after)).toEqual(present.fingerprint)
  expect(vault.open('keys', 'row 1', present.seal(mine, 'keys', 'row 1', 'sk-1'))).toBe('sk-1')
})
