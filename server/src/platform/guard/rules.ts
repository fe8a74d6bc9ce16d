// Checks the text of an address: scheme, host name, IP literal. Nothing is resolved here.
import { isIP, isIPv6 } from 'node:net'
import { SettingError } from '../config.ts'
import { isPublic } from './addresses.ts'

export interface GuardOptions {
  readonly allowPrivate: boolean
  /** host or host:port */
  readonly trustedHosts: readonly string[]
}

export interface RefusedUrl {
  readonly ok: false
  /** One sentence for the user who gave the address. */
  readonly reason: string
  /** Would the address be allowed if its host were trusted? */
  readonly needsTrust: boolean
}

export interface AllowedUrl {
  readonly ok: true
  readonly url: URL
  /** The parts that a request needs. They are kept, because a URL composes them anew whenever it is asked. */
  readonly origin: string
  readonly path: string
}

export type UrlVerdict = AllowedUrl | RefusedUrl

/** The reason of a refusal, with what to do about it for a user who means a host of their own. */
export const orTrusted = ({ reason, needsTrust }: RefusedUrl, what: string, host = 'its host'): string =>
  needsTrust
    ? `${reason} For a ${what} in your own network, let the operator add ${host} to PARLEY_TRUSTED_HOSTS.`
    : reason

export interface AddressRules {
  check(address: string | URL): UrlVerdict
  /** Private addresses and plain http are allowed for this URL. */
  isOpen(url: URL): boolean
}

// Names that no public name server answers, or that every machine resolves itself. `.test` and `.example` are not
// listed: they resolve to nothing, so they are harmless, and documentation is full of them.
const privateSuffixes = [
  // RFC 6761; `localdomain` is what hosts files append to `localhost`.
  'localhost',
  'localdomain',
  'localdomain4',
  'localdomain6',
  'invalid',
  // RFC 6762: multicast DNS. Its appendix G lists other suffixes used in private networks; ICANN delegates none of
  // them.
  'local',
  'intranet',
  'internal',
  'private',
  'corp',
  'home',
  'lan',
  // RFC 8375, home networks; RFC 7686, Tor.
  'home.arpa',
  'onion',
  // Kubernetes services.
  'svc',
]

// RFC 1035. Resolvers refuse longer ones; here they are refused before anything is sent.
const longestLabel = 63
const longestName = 253

const allow = (url: URL): AllowedUrl => ({
  ok: true,
  url,
  origin: url.origin,
  path: url.pathname + url.search,
})

const refuse = (reason: string): RefusedUrl => ({ ok: false, reason, needsTrust: false })
/** Refuses the address unless the operator trusts the host. */
export const refuseUntrusted = (reason: string): RefusedUrl => ({ ok: false, reason, needsTrust: true })

export function readRules({ allowPrivate, trustedHosts }: GuardOptions): AddressRules {
  const trusted = trustedHosts.map(readTrustedHost)
  const isOpen = (url: URL) => allowPrivate || trusted.some((matches) => matches(url))

  return {
    isOpen,
    check(address) {
      const url = typeof address === 'string' ? URL.parse(address) : address
      if (!url) return refuse('Must be a web address.')
      if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('Must use https.')
      if (url.username || url.password) return refuse('Must not contain a user name or a password.')
      if (url.port === '0') return refuse('Must not use port 0.')
      const host = hostOf(url)
      const malformed = whyNoName(host)
      if (malformed) return refuse(malformed)
      if (isOpen(url)) return allow(url)
      if (url.protocol === 'http:') return refuseUntrusted('Must use https.')
      const reason = whyNotPublic(host)
      return reason ? refuseUntrusted(reason) : allow(url)
    },
  }
}

/** Without the brackets of IPv6 and the trailing dot of a fully qualified name. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** Returns why a name cannot be resolved, not even in a private network. */
function whyNoName(host: string): string | undefined {
  if (isIP(host)) return undefined
  const labels = host.split('.')
  if (labels.includes('')) return 'Must be a web address.'
  if (host.length > longestName) return `Must name a public host: at most ${longestName} characters.`
  if (labels.some((label) => label.length > longestLabel)) {
    return `Must name a public host: at most ${longestLabel} characters between two dots.`
  }
  return undefined
}

function whyNotPublic(host: string): string | undefined {
  if (isIP(host)) return isPublic(host) ? undefined : `Points at ${host}, which is not a public address.`
  if (!host.includes('.')) return 'Must name a public host: a full name with a domain.'
  const suffix = privateSuffixes.find((name) => host.endsWith(`.${name}`) || host === name)
  return suffix && `Must name a public host: .${suffix} is private.`
}

function readTrustedHost(entry: string): (url: URL) => boolean {
  // A bare IPv6 address has colons but no port.
  const [, name = '', port] = (isIPv6(entry) ? `[${entry}]` : entry).match(/^(.+?)(?::(\d+))?$/) ?? []
  const url = URL.parse(`https://${name}`)
  if (!url || url.host === '' || url.href !== `https://${url.hostname}/`) {
    throw new SettingError('PARLEY_TRUSTED_HOSTS', `must be a list of host or host:port; "${entry}" is not.`)
  }
  const host = hostOf(url)
  return (candidate) =>
    hostOf(candidate) === host && (port === undefined || Number(port) === portOf(candidate))
}

const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80))
