// Encrypted RTP with keys from SDP (RFC 3711, RFC 4568).
import { SrtcpSession, SrtpSession } from 'werift-rtp'

export interface SrtpPair {
  protect(packet: Uint8Array): Uint8Array
  /** null: not from the far end, or changed on the way. */
  unprotect(packet: Uint8Array): Uint8Array | null
  protectRtcp(packet: Uint8Array): Uint8Array
  unprotectRtcp(packet: Uint8Array): Uint8Array | null
}
