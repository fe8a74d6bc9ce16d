// The network that stands for an address where failures are counted.
import { isIPv6 } from 'node:net'

// An IPv6 address with an IPv4 address in it. What a proxy passes on may be anything.
const longestAddress = 45

/** An IPv6 client usually owns a whole /64, and could use a new address for every attempt. */
export function networkOf(address: string): string {
  const [plain = ''] = address.slice(0, longestAddress).split('%')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)
  if (mapped?.[1]) return mapped[1]
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  const behind = tail ? tail.split(':').length : 0
  // "::" stands for as many zeros as are missing.
  if (tail !== undefined) while (groups.length + behind < 8 && groups.length < 4) groups.push('0')
  return [...groups, ...(tail ? tail.split(':') : [])]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
