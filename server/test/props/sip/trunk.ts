// A trunk of a test, with every field that a test does not care about.
import type { Trunk } from '../../../src/ports/trunk.ts'

export const trunkOf = (more: Partial<Trunk> = {}): Trunk => ({
  id: '7d0c9d3a-8f7e-4a51-9d0e-2f6d4b0f7a11',
  workspaceId: 'w',
  number: '+4930901820',
  host: '127.0.0.1',
  port: null,
  transport: 'udp',
  credentials: null,
  register: false,
  inboundAllow: [],
  codecs: [],
  headers: {},
  srtp: 'off',
  symmetricRtp: true,
  fromUser: null,
  identityHeader: 'P-Asserted-Identity',
  numberFormat: 'e164',
  maxConcurrency: null,
  inboundUsers: [],
  callerVerification: 'off',
  fullStatus: 503,
  unansweredStatus: 480,
  ...more,
})
