// Which IP addresses are public: everything except the blocks in IANA's special-purpose registries.
import { BlockList, isIPv4, isIPv6 } from 'node:net'

const specialIPv4 = blocks('ipv4', [
  '0.0.0.0/8', // "this network"; on Linux, 0.0.0.0 connects to the machine itself
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; cloud metadata at 100.100.100.200
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's host agent: a public address that answers only from inside
  '169.254.0.0/16', // link-local; cloud metadata at 169.254.169.254
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; cloud metadata at 192.0.0.192
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112: a sink for private reverse lookups
  '192.52.193.0/24', // AMT relays
  '192.88.99.0/24', // 6to4 relays, deprecated
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks between devices
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast at its end
])

// The global unicast range. Outside it are loopback, IPv4-mapped and IPv4-compatible addresses, NAT64, discard-only,
// segment routing, unique-local, link-local and multicast.
const globalIPv6 = blocks('ipv6', ['2000::/3'])

const specialIPv6 = blocks('ipv6', [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID and others
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4 embeds any IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
])

export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !specialIPv4.check(address, 'ipv4')
  // A zone names an interface of this machine.
  if (!isIPv6(address) || address.includes('%')) return false
  return globalIPv6.check(address, 'ipv6') && !specialIPv6.check(address, 'ipv6')
}

function blocks(family: 'ipv4' | 'ipv6', cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [network = '', prefix] = cidr.split('/')
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}
