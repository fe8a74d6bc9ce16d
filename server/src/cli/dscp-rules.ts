// The rules for nftables that mark what this installation sends to telephones. Node has no option for it on a socket.
import { type Config, SettingError } from '../platform/config.ts'

/** Trunks listen here unless their `port` says otherwise. */
const usualPorts = [5060, 5061]

/** For `nft -f`. Loaded again, they take the place of the old ones. */
export function dscpRules({ port, tls, rtpPorts: { from, to } }: NonNullable<Config['sip']>): string {
  const ours = tls ? [port, tls.port] : [port]
  if (ours.includes(0))
    throw new SettingError(
      port === 0 ? 'PARLEY_SIP_PORT' : 'PARLEY_SIP_TLS_PORT',
      'is 0, any free port: choose one, so that it can be marked.',
    )
  // A connection that we open has any port of ours, and one of the trunk's.
  const theirs = [...new Set([...ours, ...usualPorts])]
  return `# DSCP marks of Parley: sound EF, SIP CS3. Taken away by: nft delete table inet parley_dscp
table inet parley_dscp
delete table inet parley_dscp
table inet parley_dscp {
  chain output {
    type filter hook output priority mangle; policy accept;
${marked(`udp sport ${from}-${to}`, 'ef')}
${marked(`meta l4proto { tcp, udp } th sport { ${ours.join(', ')} }`, 'cs3')}
${marked(`tcp dport { ${theirs.join(', ')} }`, 'cs3')}
  }
}
`
}

const marked = (packets: string, mark: string): string =>
  ['ip', 'ip6'].map((family) => `    ${packets} ${family} dscp set ${mark}`).join('\n')
