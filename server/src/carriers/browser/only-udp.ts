// WebRTC over UDP only. The library would also listen on a TCP port of its own for every call, and connect to any TCP port
// that a browser names; audio over TCP uses the browser's socket instead, through the one open port.
//
//   candidate:<foundation> <component> <udp or tcp> <priority> <address> <port> typ …

export const isUdp = (candidate: string): boolean => candidate.split(' ', 3)[2]?.toLowerCase() === 'udp'

/** An offer or answer without its non-UDP candidates. */
export const onlyUdp = (sdp: string): string =>
  sdp.replace(/^a=candidate:.*\r?\n?/gm, (line) => (isUdp(line) ? line : ''))
