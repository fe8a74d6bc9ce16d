// What the services of one company share: its host, how it is given its credentials, and a request that checks them.
import { type CredentialName, companies, credentialsOf } from '@parley/contract/companies'
import type { SttVendor, VendorAccount, VendorCheck } from '../../ports/vendor.ts'
import { type Query, vendorUrl } from './wire/vendor-address.ts'
import type { VendorRequest } from './wire/vendor-request.ts'

type Credentials = VendorAccount['credentials']
type Host = string | ((credentials: Credentials) => string)
type Headers = Readonly<Record<string, string>>

interface CompanyParts {
  /** A function where it depends on a credential, as on a region. */
  readonly host: Host
  readonly headersOf: (credentials: Credentials) => Headers
  /** The header in which it says why it refuses a request; left out: the body does. */
  readonly refusalHeader?: string
  /** What a user's address may end with and the paths of requests already have, as a version. */
  readonly ending?: RegExp
  /** A harmless request that is refused without valid credentials; undefined: there is none. */
  readonly check?: CheckedPath | SttVendor['check']
}

interface CheckedPath {
  readonly path: string
  readonly query?: Query
  /** Instead of the company's. */
  readonly host?: Host
  readonly method?: 'GET' | 'POST'
  readonly headers?: Headers
  readonly body?: string
  readonly endsIn?: VendorCheck['endsIn']
}

type Place = [account: VendorAccount, path: string, query?: Query | undefined, host?: Host | undefined]

export function companyAccount(
  company: CredentialName,
  { ending, check, refusalHeader, ...parts }: CompanyParts,
) {
  const { label } = companies[company]
  const headersOf = ({ credentials }: Pick<VendorAccount, 'credentials'>) => parts.headersOf(credentials)
  /** `path` begins with a slash; `host`: instead of the company's. */
  const url = (
    scheme: 'https' | 'wss',
    ...[{ credentials, baseUrl }, path, query, host = parts.host]: Place
  ): string => {
    const place = {
      scheme,
      host: hostIn(credentials, host),
      baseUrl: ending ? baseUrl?.replace(ending, '') : baseUrl,
    }
    return vendorUrl(place, path, query)
  }
  const request = (...place: Place): VendorRequest => ({
    url: url('https', ...place),
    headers: headersOf(place[0]),
  })
  const checkAt = (
    { path, query, host, method = 'GET', headers, body, endsIn }: CheckedPath,
    account: VendorAccount,
  ): VendorCheck => {
    const place = request(account, path, query, host)
    const headersOfIt = { ...place.headers, ...headers }
    return { method, url: place.url, headers: headersOfIt, body, endsIn, refusalHeader }
  }
  const credentials = credentialsOf(company)
  const namesOf = (isRequired: boolean) =>
    credentials.flatMap((one) => (one.isRequired === isRequired ? [one.name] : []))
  return {
    label,
    /** For the description of each service. */
    shared: {
      label,
      refusalHeader,
      host: parts.host,
      credentials: namesOf(true),
      optionalCredentials: namesOf(false),
      check: typeof check === 'object' ? (account: VendorAccount) => checkAt(check, account) : check,
    },
    headersOf,
    url,
    request,
    socket: (...place: Place): VendorRequest => ({
      url: url('wss', ...place),
      headers: headersOf(place[0]),
    }),
    jsonRequest(...place: Place): VendorRequest {
      const { headers, ...where } = request(...place)
      return { ...where, headers: { ...headers, 'content-type': 'application/json' } }
    },
    /** Of requests for recordings, to a server that an operator named, or to the company's own. */
    endpoint: (
      { baseUrl, apiKey }: { readonly baseUrl: string | undefined; readonly apiKey: string | undefined },
      { path = '', host = parts.host }: { readonly path?: string; readonly host?: Host } = {},
    ) => ({
      name: label,
      baseUrl: baseUrl ?? `https://${hostIn({}, host)}${path}`,
      headers: apiKey ? headersOf({ credentials: { apiKey } }) : {},
    }),
  }
}

export type CompanyAccount = ReturnType<typeof companyAccount>

const hostIn = (credentials: Credentials, host: Host): string =>
  typeof host === 'function' ? host(credentials) : host

/** Headers of a key that is sent as a bearer token. */
export const bearer = ({ apiKey }: Credentials): Headers => ({ authorization: `Bearer ${apiKey}` })
