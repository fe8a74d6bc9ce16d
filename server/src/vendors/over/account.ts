// What the services of one company share: its host, how it is given its credentials, and a request that checks them.
import { type CredentialName, companies, credentialsOf } from '@parley/contract/companies'
import type { SttVendor, TtsVendor, VendorAccount, VendorCheck } from '../../ports/vendor.ts'
import { type Query, vendorUrl } from './wire/vendor-address.ts'

type Credentials = VendorAccount['credentials']
type Host = string | ((credentials: Credentials) => string)
type Headers = Readonly<Record<string, string>>

interface CompanyParts {
  /** A function where it depends on a credential, as on a region. */
  readonly host: Host
  readonly headersOf: (credentials: Credentials) => Headers
  /** What a user's address may end with and ours already have, as a version. */
  readonly ending?: RegExp
  /** A harmless request that is refused without valid credentials; undefined: there is none. */
  readonly check?: CheckedPath | ((account: VendorAccount) => VendorCheck | Promise<VendorCheck>)
}

interface CheckedPath {
  readonly path: string
  readonly query?: Query
  /** Instead of the company's. */
  readonly host?: Host
  readonly method?: 'GET' | 'POST'
  readonly headers?: Headers
  readonly body?: string
}

/** Where a request or a socket is opened. */
export interface AccountPlace {
  readonly url: string
  readonly headers: Headers
}

export interface CompanyAccount {
  readonly label: string
  /** For the description of each of its services. */
  readonly shared: Pick<
    SttVendor & TtsVendor,
    'label' | 'host' | 'credentials' | 'optionalCredentials' | 'check'
  >
  readonly headersOf: (account: Pick<VendorAccount, 'credentials'>) => Headers
  /** `path` begins with a slash; `host`: instead of the company's. */
  readonly url: (
    scheme: 'https' | 'wss',
    account: VendorAccount,
    path: string,
    query?: Query,
    host?: Host,
  ) => string
  readonly socket: (account: VendorAccount, path: string, query?: Query, host?: Host) => AccountPlace
  readonly request: CompanyAccount['socket']
  /** The headers of a JSON body besides. */
  readonly jsonRequest: CompanyAccount['request']
  /** Of requests for recordings, to a server that an operator named, or to `ownUrl`. */
  readonly endpoint: (
    server: { readonly baseUrl: string | undefined; readonly apiKey: string | undefined },
    ownUrl: string,
  ) => { readonly name: string; readonly baseUrl: string; readonly headers: Headers }
}

export function companyAccount(company: CredentialName, parts: CompanyParts): CompanyAccount {
  const { label } = companies[company]
  const { ending, check } = parts
  const headersOf: CompanyAccount['headersOf'] = ({ credentials }) => parts.headersOf(credentials)
  const url: CompanyAccount['url'] = (scheme, account, path, query = {}, host = parts.host) => {
    const { credentials, baseUrl } = account
    const place = {
      scheme,
      host: typeof host === 'function' ? host(credentials) : host,
      baseUrl: ending ? baseUrl?.replace(ending, '') : baseUrl,
    }
    return vendorUrl(place, path, query)
  }
  const placeOver =
    (scheme: 'https' | 'wss'): CompanyAccount['request'] =>
    (account, ...place) => ({ url: url(scheme, account, ...place), headers: headersOf(account) })
  const request = placeOver('https')
  const checkAt =
    ({ path, query, host, method = 'GET', headers, body }: CheckedPath) =>
    (account: VendorAccount): VendorCheck => {
      const place = request(account, path, query, host)
      return { method, url: place.url, headers: { ...place.headers, ...headers }, body }
    }
  const credentials = credentialsOf(company)
  return {
    label,
    shared: {
      label,
      host: parts.host,
      credentials: credentials.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])),
      optionalCredentials: credentials.flatMap(({ name, isRequired }) => (isRequired ? [] : [name])),
      check: typeof check === 'object' ? checkAt(check) : check,
    },
    headersOf,
    url,
    socket: placeOver('wss'),
    request,
    jsonRequest(...place) {
      const { headers, ...where } = request(...place)
      return { ...where, headers: { ...headers, 'content-type': 'application/json' } }
    },
    endpoint: ({ baseUrl, apiKey }, ownUrl) => ({
      name: label,
      baseUrl: baseUrl ?? ownUrl,
      headers: apiKey ? headersOf({ credentials: { apiKey } }) : {},
    }),
  }
}

/** Headers of a key that is sent as a bearer token. */
export const bearer = ({ apiKey }: Credentials): Headers => ({ authorization: `Bearer ${apiKey}` })
