// The SIP trunk behind a telephone number, as it is written and read.
import { z } from 'zod'
import { Text } from '../words.ts'

/** The codecs, named as in SDP. */
export const trunkCodecs = ['opus', 'G722', 'PCMU', 'PCMA'] as const
export type TrunkCodec = (typeof trunkCodecs)[number]

/** Other common names of the codecs. */
const otherNames: Readonly<Record<string, TrunkCodec>> = {
  ulaw: 'PCMU',
  mulaw: 'PCMU',
  'g.711u': 'PCMU',
  g711u: 'PCMU',
  g711: 'PCMU',
  'g.711': 'PCMU',
  alaw: 'PCMA',
  'g.711a': 'PCMA',
  g711a: 'PCMA',
  'g.722': 'G722',
}

const codecNamed = (name: string): TrunkCodec | undefined =>
  trunkCodecs.find((codec) => codec.toLowerCase() === name.toLowerCase())

function unknownCodec(name: unknown): string {
  const nearest = otherNames[String(name).toLowerCase()]
  const hint = nearest ? `Write ${nearest}.` : `There are ${trunkCodecs.join(', ')}.`
  return `${JSON.stringify(name)} is not the name of a codec here. ${hint}`
}

const Codec = z
  .string()
  .max(16)
  .refine((name) => codecNamed(name) !== undefined, { error: ({ input }) => unknownCodec(input) })
  .transform((name) => codecNamed(name) as TrunkCodec)
  .meta({ description: 'A codec, named as in SDP.', pattern: '^[A-Za-z0-9]+$' })

const name =
  /^(?=.{1,253}$)([A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?)(\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?)*\.?$/
const isIpv4 = (text: string): boolean => z.ipv4().safeParse(text).success
const isIpv6 = (text: string): boolean => z.ipv6().safeParse(text).success
const bare = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')

function hostFault(host: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(host) || /^sips?:/i.test(host))
    return 'Give the host alone, such as sip.example.com, without sip: or a scheme.'
  if (host.includes('@')) return 'Give the host alone; the user belongs in username.'
  if (isIpv6(bare(host))) return undefined
  if (/^[^:]*:\d+$/.test(host) || /^\[.*\]:\d+$/.test(host))
    return 'Give the host alone; the port belongs in port.'
  if (/^[\d.]+$/.test(host) && !isIpv4(host)) return 'Is not an IPv4 address.'
  if (host.includes(':')) return 'Is not an IPv6 address.'
  return name.test(host) ? undefined : 'Must be a host name or an address, such as sip.example.com.'
}

const Host = z
  .string()
  .min(1)
  .max(255)
  .refine((host) => hostFault(host) === undefined, { error: ({ input }) => hostFault(String(input)) ?? '' })
  // An IPv6 address is written in brackets only where a port may follow.
  .transform((host) => bare(host))

const cidr = (block: string): boolean =>
  isIpv4(block) || isIpv6(block) || z.cidrv4().safeParse(block).success || z.cidrv6().safeParse(block).success

const Source = z
  .string()
  .max(49)
  .refine(cidr, 'Must be an address or a block in CIDR form, such as 203.0.113.7 or 203.0.113.0/24.')
  .meta({ pattern: '^[0-9A-Fa-f.:/]+$' })

/** The headers that the signalling itself writes, by their names and compact forms. */
const ownHeaders = new Set(
  `via from to call-id cseq contact max-forwards route record-route content-type content-length content-encoding
  authorization proxy-authorization www-authenticate proxy-authenticate require proxy-require supported unsupported allow
  accept expires min-expires session-expires min-se event subscription-state refer-to referred-by replaces rack rseq
  retry-after warning date user-agent server identity p-asserted-identity p-preferred-identity mime-version
  v f t i m l c e k x o r b u s`
    .split(/\s+/)
    .filter(Boolean),
)

const HeaderName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9!%*_+`'~-]+$/, 'Is not the name of a header.')
  .refine((header) => !ownHeaders.has(header.toLowerCase()), {
    error: ({ input }) =>
      `${String(input)} is written by the service itself and cannot be set; use a name that begins with X-.`,
  })

// The ellipsis is allowed because a stored value may be sent back as it was shown.
const HeaderValue = z
  .string()
  .max(512)
  .regex(/^[ -~…]*$/, 'Must be printable ASCII in one line.')

const Prefix = z
  .string()
  .max(16)
  .regex(/^\+[1-9][0-9]{0,14}$/, 'Must be the beginning of a number in E.164 form, such as +44.')

const UserName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[\w.!~*'()&=+$,/%#|-]+$/, 'Must be a user name, without spaces, @ or a host.')

const Password = z
  .string()
  .min(1)
  .max(256)
  .refine((password) => !/\p{Cc}/u.test(password), 'Must not have control characters.')
  .meta({ pattern: '^[^\\x00-\\x1f\\x7f]+$' })

const lists = { sources: 100, headers: 20, prefixes: 100, users: 100 } as const

const InboundUser = z
  .strictObject({
    username: UserName.describe('What the telephone logs in as. Two of one number differ.'),
    password: Password.describe(
      'What it proves that with. Stored encrypted, and shown by its ends only; what is shown stands for what is stored.',
    ),
  })
  .meta({ id: 'InboundUser', description: 'A telephone or a PBX that logs in at our own door.' })
export type InboundUser = z.infer<typeof InboundUser>

const identityHeaders = ['P-Asserted-Identity', 'P-Preferred-Identity'] as const
const numberFormats = ['e164', 'digits', 'national'] as const

const callerVerifications = ['off', 'refuse_failed', 'require'] as const

/** The statuses that a call can be refused with: carriers fail over on some of them and not on others. */
const fullStatuses = [480, 486, 503, 600] as const
const unansweredStatuses = [404, 408, 480, 486, 503, 600, 603] as const
const statusOf = <const Statuses extends readonly number[]>(statuses: Statuses) =>
  z.union(
    statuses.map((status) => z.literal(status)) as unknown as [
      z.ZodLiteral<Statuses[number]>,
      z.ZodLiteral<Statuses[number]>,
    ],
    `Must be one of ${statuses.join(', ')}.`,
  )

const fields = {
  host: Host.meta({ pattern: '^[A-Za-z0-9_.:\\[\\]-]+$', examples: ['sip.example.com'] })
    .nullish()
    .describe(
      'Where calls are sent: a host name, or an IPv4 or IPv6 address, without a scheme and a port. Left out or null: nowhere; the number is for the telephones in `inbound_users` only.',
    ),
  port: z
    .int()
    .min(1)
    .max(65_535)
    .nullish()
    .describe('From 1 to 65535. Left out or null: found by DNS (SRV), else 5060, or 5061 with tls.'),
  transport: z.enum(['udp', 'tcp', 'tls']).optional().describe('How SIP is carried. Left out: udp.'),
  username: UserName.nullish().describe(
    'Who we are to the trunk. Left out or null: it knows us by our address, which you enter there.',
  ),
  password: Password.nullish().describe(
    'Proves it. Stored encrypted, and shown by its ends only; what is shown stands for what is stored. Needed with `username`.',
  ),
  register: z
    .boolean()
    .optional()
    .describe(
      'Register there with `username`, so that calls to the number come to us, as a telephone does. Left out: false.',
    ),
  inbound_allow: z
    .array(Source)
    .max(lists.sources)
    .optional()
    .describe(
      'Addresses and CIDR blocks whose calls are taken besides those of the host itself. Left out: none.',
    ),
  codecs: z
    .array(Codec)
    .min(1)
    .max(trunkCodecs.length)
    .refine((codecs) => new Set(codecs).size === codecs.length, 'Must not name a codec twice.')
    .optional()
    .describe(
      'Which codecs are offered, by preference: opus, G722, PCMU, PCMA. Left out: all, in this order.',
    ),
  headers: z
    .record(HeaderName, HeaderValue)
    .refine(
      (headers) => Object.keys(headers).length <= lists.headers,
      `Must not have more than ${lists.headers}.`,
    )
    .optional()
    .describe(
      'Sent with every INVITE, such as X-Account. `Privacy: id` withholds the number from who is called. Values are stored encrypted and shown by their ends only. Left out: none.',
    ),
  srtp: z
    .enum(['off', 'optional', 'required'])
    .optional()
    .describe('Whether sound is encrypted (SDES): never, if the other side can, or always. Left out: off.'),
  symmetric_rtp: z
    .boolean()
    .optional()
    .describe(
      'Sound goes to where the sound of the other side comes from, which behind a NAT is not what it announces. false: to and from the announced address only. Left out: true.',
    ),
  from_user: UserName.nullish().describe(
    'The user part of From, for trunks that want the account there. Left out or null: the number.',
  ),
  identity_header: z
    .enum(identityHeaders)
    .optional()
    .describe(
      'Which header has the number where From has not, because of `from_user` or `Privacy: id`: P-Asserted-Identity, for trunks that trust us, or P-Preferred-Identity. Left out: P-Asserted-Identity.',
    ),
  number_format: z
    .enum(numberFormats)
    .optional()
    .describe(
      'How the trunk wants the numbers that are called: e164 (+4930901820), digits (without the plus), or national (030901820, and other countries with the prefix for calls abroad). Left out: e164.',
    ),
  prefixes: z
    .array(Prefix)
    .max(lists.prefixes)
    .optional()
    .describe(
      'Destinations that this number is preferred for, when a call names none: beginnings of numbers, such as +44. Left out: all.',
    ),
  inbound_users: z
    .array(InboundUser)
    .max(lists.users)
    .refine(
      (users) => new Set(users.map(({ username }) => username.toLowerCase())).size === users.length,
      'Must not name a user twice.',
    )
    .optional()
    .describe(
      'Telephones and PBXs that log in here with a user and a password, from any address. Their calls come in by this number, and agents call those that are logged in as sip:user@host. Left out: none.',
    ),
  caller_verification: z
    .enum(callerVerifications)
    .optional()
    .describe(
      'Calls that are refused by what is known of the number of the caller (STIR/SHAKEN): off (none; the record says what was found), refuse_failed (those whose signature is not true), require (all that nobody has verified). Left out: off.',
    ),
  full_status: statusOf(fullStatuses)
    .optional()
    .describe(
      'The SIP status code that the trunk is answered when there is no room: 480, 486, 503 or 600. Carriers try another server after 503. Left out: 503.',
    ),
  unanswered_status: statusOf(unansweredStatuses)
    .optional()
    .describe(
      'The SIP status code that the trunk is answered when a call has rung and was not taken: 404, 408, 480, 486, 503, 600 or 603. Left out: 480.',
    ),
}

/** A trunk as it is written, before defaults are applied. */
export const SipCredentials = z.strictObject(fields).meta({
  id: 'SipCredentials',
  description: 'The SIP trunk or PBX that carries the calls of a number.',
})
export type SipCredentials = z.infer<typeof SipCredentials>

/** A change of a trunk: only the fields that change. Null clears one that may be null. */
export const SipCredentialsChange = z.strictObject(fields).meta({
  id: 'SipCredentialsChange',
  description: 'Changes of the SIP trunk: only the fields that are sent.',
})
export type SipCredentialsChange = z.infer<typeof SipCredentialsChange>

/** A trunk as it is read: every default is applied, secrets are shown by their ends. */
export const ShownCredentials = z
  .strictObject({
    host: Text.nullable().describe('Where calls are sent. null: only to telephones that are logged in.'),
    port: z
      .int()
      .min(1)
      .max(65_535)
      .nullable()
      .describe('From 1 to 65535. null: found by DNS, else the usual one.'),
    transport: z.enum(['udp', 'tcp', 'tls']).describe('How SIP is carried.'),
    username: Text.nullable().describe('Who we are to the trunk. null: it knows us by our address.'),
    password: Text.nullable().describe('By its ends. null: there is none.'),
    register: z.boolean().describe('Whether we register there.'),
    inbound_allow: z
      .array(Text)
      .max(lists.sources)
      .describe('Whose calls are taken besides those of the host.'),
    codecs: z
      .array(z.enum(trunkCodecs))
      .max(trunkCodecs.length)
      .describe('Which codecs are offered, by preference.'),
    headers: z.record(Text, Text).describe('Sent with every INVITE; values by their ends.'),
    srtp: z.enum(['off', 'optional', 'required']).describe('Whether sound is encrypted.'),
    symmetric_rtp: z.boolean().describe('Whether sound goes to where that of the other side comes from.'),
    from_user: Text.nullable().describe('The user part of From. null: the number.'),
    identity_header: z.enum(identityHeaders).describe('Which header has the number where From has not.'),
    number_format: z.enum(numberFormats).describe('How the numbers that are called are written.'),
    prefixes: z
      .array(Text)
      .max(lists.prefixes)
      .describe('Destinations that the number is preferred for. Empty: all.'),
    inbound_users: z
      .array(
        z.strictObject({
          username: Text.describe('What it logs in as.'),
          password: Text.describe('By its ends.'),
        }),
      )
      .max(lists.users)
      .describe('Who may log in here.'),
    caller_verification: z
      .enum(callerVerifications)
      .describe('Calls that are refused by what is known of the number of the caller.'),
    full_status: statusOf(fullStatuses).describe(
      'The SIP status code that the trunk is answered when there is no room.',
    ),
    unanswered_status: statusOf(unansweredStatuses).describe(
      'The SIP status code that the trunk is answered when a call was not taken.',
    ),
  })
  .meta({
    id: 'ShownCredentials',
    description: 'The trunk of a number, with its secrets shown by their ends.',
  })
export type ShownCredentials = z.infer<typeof ShownCredentials>
