// Which of this machine's addresses a peer reaches us at, where no setting says so.
import { isIPv6, SocketAddress } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Our address on the peer's own network, else the first public-facing one of its family. */
export function localAddressTowards(peer: string): string {
  const family = isIPv6(peer) ? 'IPv6' : 'IPv4'
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const candidates = own.filter((address) => address.family === family && !isLinkLocal(address.address))
  const near = candidates.find(({ cidr }) => cidr !== null && isWithin(peer, cidr))
  const outward = candidates.find(({ internal }) => !internal)
  return near?.address ?? outward?.address ?? (family === 'IPv6' ? '::1' : '127.0.0.1')
}

const isLinkLocal = (address: string): boolean => /^(?:fe80:|169\.254\.)/i.test(address)

function isWithin(address: string, cidr: string): boolean {
  const [network, length] = cidr.split('/') as [string, string]
  const [a, b] = [bitsOf(address), bitsOf(network)]
  return a !== null && b !== null && a.slice(0, Number(length)) === b.slice(0, Number(length))
}

function bitsOf(address: string): string | null {
  if (!isIPv6(address))
    return address
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('')
  const full = SocketAddress.parse(`[${address}]:0`)?.address
  if (!full) return null
  const [head = '', tail = ''] = full.split('::') as [string, string?]
  const parts = (text: string) => (text === '' ? [] : text.split(':'))
  const missing = 8 - parts(head).length - parts(tail).length
  return [...parts(head), ...Array(full.includes('::') ? missing : 0).fill('0'), ...parts(tail)]
    .map((part) => Number.parseInt(part, 16).toString(2).padStart(16, '0'))
    .join('')
}
