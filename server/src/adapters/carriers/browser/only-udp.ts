// WebRTC goes by UDP or not at all. The library would also listen on a TCP port of its own for every call, and connect to
// whatever TCP port a browser names; sound over TCP has its own way, the browser's socket, through the one open port.
//
//   candidate:<foundation> <component> <udp or tcp> <priority> <address> <port> typ …

export const isUdp = (candidate: string): boolean => candidate.split(' ', 3)[2]?.toLowerCase() === 'udp'

/** An offer or answer without the candidates that are no UDP. */
export const onlyUdp = (sdp: string): string =>
  sdp.replace(/^a=candidate:.*\r?\n?/gm, (line) => (isUdp(line) ? line : ''))
