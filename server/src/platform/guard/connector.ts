// Opens sockets to checked addresses only. Names are resolved once, here, and the socket uses exactly that result.
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import { buildConnector } from 'undici'
import { isPublic } from './addresses.ts'
import { ConnectError, connectionRefused, describeSocketError } from './connect-error.ts'
import { resolveTrusted, resolveUntrusted } from './resolve.ts'
import { type AddressRules, hostOf } from './rules.ts'

/** The signal aborts the attempt; it does not affect an open socket. */
export type Connect = (
  target: buildConnector.Options,
  signal: AbortSignal | undefined,
  done: buildConnector.Callback,
) => void

// The longest webhook timeout; requests with a shorter one pass a signal.
const connectTimeoutMs = 10_000

// Node's default of 250 ms is too short for distant hosts; ten seconds still allow for several dead addresses.
const nextAddressAfterMs = 1_000

let known: SecureContext | undefined
/** The certificates are read once; Node would read them for each connection, which takes a fifth of the handshake. */
function authorities(): SecureContext {
  known ??= createSecureContext()
  return known
}

export const notPublic = 'Points at an address that is not public.'

/** Closing aborts all attempts. */
export const connectorOf =
  (rules: AddressRules, closing: AbortSignal): Connect =>
  (target, signal, done) => {
    const attempt = beginAttempt([closing, ...(signal ? [signal] : [])])
    const fail = (error: unknown) => {
      attempt.end()
      done(error instanceof ConnectError ? error : describeSocketError(error), null)
    }
    const url = new URL(`${target.protocol}//${target.host}`)
    const found = addressesOf(url, rules, attempt.signal)
    const opening = found.then((addresses) => {
      // Node would connect a socket despite an aborted signal, and leak it.
      attempt.signal.throwIfAborted()
      openSocket(target, url, addresses, attempt.signal, (error, socket) => {
        if (error) return fail(error)
        if (!rules.isOpen(url) && !isPublic(socket.remoteAddress ?? '')) {
          socket.destroy()
          return fail(connectionRefused(notPublic))
        }
        attempt.end()
        done(null, socket)
      })
    })
    opening.catch(fail)
  }

/** One signal for lookup and connect, aborted by any of these until the attempt has ended. */
function beginAttempt(signals: readonly AbortSignal[]): { signal: AbortSignal; end(): void } {
  const attempt = new AbortController()
  const giveUp = () => attempt.abort()
  const timer = setTimeout(giveUp, connectTimeoutMs)
  for (const signal of signals) {
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp)
  }
  return {
    signal: attempt.signal,
    end() {
      clearTimeout(timer)
      for (const signal of signals) signal.removeEventListener('abort', giveUp)
    },
  }
}

/** All addresses of the name; fails if any of them is not allowed. */
async function addressesOf(url: URL, rules: AddressRules, signal: AbortSignal): Promise<readonly string[]> {
  const verdict = rules.check(url)
  if (!verdict.ok) throw connectionRefused(verdict.reason)
  const host = hostOf(url)
  if (isIP(host)) return [host]
  const open = rules.isOpen(url)
  const addresses = await (open ? resolveTrusted(host) : resolveUntrusted(host, signal)).catch((cause) => {
    throw new ConnectError('dns', 'the name does not resolve', { cause })
  })
  if (addresses.length === 0) throw new ConnectError('dns', 'the name has no address')
  if (!open && !addresses.every(isPublic)) throw connectionRefused(notPublic)
  return addresses
}

function openSocket(
  { protocol, port }: buildConnector.Options,
  url: URL,
  addresses: readonly string[],
  signal: AbortSignal,
  done: (error: Error | null, socket: Socket) => void,
): void {
  const hostname = hostOf(url)
  const connect = buildConnector({
    // Our own timeout applies.
    timeout: 0,
    // A connector is used for one connection.
    maxCachedSessions: 0,
    ...(protocol === 'https:' && { secureContext: authorities() }),
    signal,
    lookup: answering(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
  } as buildConnector.BuildOptions)
  // The certificate must match the host of the URL, not a Host header.
  const target = {
    protocol,
    port,
    hostname,
    host: url.host,
    ...(!isIP(hostname) && { servername: hostname }),
  }
  connect(target, (error, socket) => done(error, socket as Socket))
}

/** Names that resolve to anything private are refused. */
export const lookupPublic =
  (closing: AbortSignal): LookupFunction =>
  (name, options, callback) => {
    const fail = (error: Error) => callback(error, '')
    resolveUntrusted(name, closing).then((addresses) => {
      if (addresses.length === 0) return fail(new ConnectError('dns', 'the name has no address'))
      if (!addresses.every(isPublic)) return fail(connectionRefused(notPublic))
      answering(addresses)(name, options, callback)
    }, fail)
  }

const answering =
  (addresses: readonly string[]): LookupFunction =>
  (_name, { all }, callback) => {
    const answers = addresses.map((address) => ({ address, family: isIP(address) }))
    if (all) return callback(null, answers)
    callback(null, answers[0]?.address ?? '', answers[0]?.family)
  }
