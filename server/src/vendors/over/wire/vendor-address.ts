// The address of a vendor's interface: its own host, or the one that an account gives instead.

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export interface VendorPlace {
  readonly scheme: 'https' | 'wss'
  /** The vendor's own. */
  readonly host: string
  /** Instead of the host, for sockets and requests alike: http goes with ws, https with wss. */
  readonly baseUrl: string | undefined
}

/** A region or the like as a part of a vendor's own host: whatever a user wrote, the host stays the vendor's. */
export const hostPart = (written = ''): string => written.replaceAll(/[^a-z\d-]/gi, '')

/** `path` begins with a slash. Values that are undefined are left out, lists repeat their name. */
export function vendorUrl({ scheme, host, baseUrl }: VendorPlace, path: string, query: Query = {}): string {
  const base = new URL(baseUrl ?? `${scheme}://${host}`)
  const isPlain = base.protocol === 'http:' || base.protocol === 'ws:'
  const protocol = scheme === 'wss' ? (isPlain ? 'ws:' : 'wss:') : isPlain ? 'http:' : 'https:'
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((one): [string, string] => [name, `${one}`]),
    ),
  )
  const asked = search.size > 0 ? `?${search}` : ''
  return `${protocol}//${base.host}${base.pathname.replace(/\/$/, '')}${path}${asked}`
}
