// Checks whether the far end of a trunk answers, and says in sentences what is wrong and how to mend it.
import { connect as connectTcp } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { Telephones } from '../../../ports/telephones.ts'
import type { Trunk, TrunkCheck } from '../../../ports/trunk.ts'
import { ClientAuth } from '../auth/client-auth.ts'
import type { SipCallParts } from '../call/call-parts.ts'
import { noBody, type SipRequest, type SipResponse } from '../message/message.ts'
import { printHost } from '../message/uri.ts'
import type { SipEdge } from '../transport/edge.ts'
import type { Destination } from '../transport/transport.ts'
import type { RegistrationState } from './registration.ts'
import { type HostedTrunk, hasHost, hostUri, requestUri } from './registrations.ts'

export interface CheckTrunkParts {
  readonly edge: Pick<SipEdge, 'routes' | 'destination'>
  readonly callParts: (transport: Trunk['transport']) => SipCallParts
  readonly resolve: (address: string, transport: Trunk['transport']) => Promise<Destination[]>
  /** null: the trunk needs no registration. */
  readonly registrationOf: (trunk: Trunk) => RegistrationState | null
  readonly telephones: Pick<Telephones, 'of'>
  readonly nowMs: () => number
  readonly after: SipCallParts['after']
}

/** A far end across the world answers in 400 ms; one that takes longer than this counts as silent. */
const answerMs = 5_000
const pollMs = 100

export async function checkTrunk(trunk: Trunk, parts: CheckTrunkParts): Promise<TrunkCheck> {
  if (!hasHost(trunk)) return checkTelephones(trunk, parts)
  const [peer] = await parts.resolve(hostUri(trunk), trunk.transport)
  if (!peer) return resultOf(null, null, `The host ${trunk.host} cannot be found by DNS: check its spelling.`)
  const { destination } = parts.edge
  // Only the edge connects to the trunk.
  const fault = trunk.transport === 'udp' || destination ? null : await faultOfConnection(peer, trunk)
  if (fault) return resultOf(trunk.register ? false : null, null, fault)
  const [answer, registration] = await Promise.all([
    ping(trunk, destination ?? peer, parts),
    settled(trunk, parts),
  ])
  const registered = registration === null ? null : registration.is === 'registered'
  const ms = answer?.ms ?? null
  const where = `${trunk.host} (${printHost(peer.address)}:${peer.port}, ${trunk.transport})`
  if (registration?.is === 'failed')
    return resultOf(false, ms, `${registration.reason} ${mendOfRegistration(registration.status)}`)
  if (registration?.is === 'registering')
    return resultOf(false, ms, `The registration at ${where} has not been answered yet.`)
  if (answer?.status === 403) {
    const unknown = `${where} answered 403: it does not know our address. Add it to the list of the trunk.`
    return resultOf(registered, ms, unknown)
  }
  const how = registered ? 'Registered, and ' : ''
  if (answer) return resultOf(registered, ms, `${how}OPTIONS was answered in ${ms} ms by ${where}.`, true)
  const silent = registered
    ? `Registered at ${where}, which does not answer OPTIONS. Calls may work nevertheless.`
    : `${where} does not answer. Check host, port and transport, and that its firewall lets our address in.`
  return resultOf(registered, null, silent, registered === true)
}

/** Checks a number without a trunk: which of its telephones have logged in. */
async function checkTelephones(trunk: Trunk, { telephones }: CheckTrunkParts): Promise<TrunkCheck> {
  const here: string[] = []
  const missing: string[] = []
  for (const { username } of trunk.inboundUsers) {
    const [telephone] = await telephones.of(trunk.id, username)
    if (telephone) here.push(`${username} (${printHost(telephone.address)}:${telephone.port})`)
    else missing.push(username)
  }
  const sentences = [
    ...(here.length > 0 ? [`Logged in: ${here.join(', ')}.`] : []),
    ...(missing.length > 0
      ? [`Not logged in: ${missing.join(', ')}. Check address, user and password on the telephone.`]
      : []),
  ]
  return resultOf(here.length > 0, null, sentences.join(' '), here.length > 0)
}

const resultOf = (
  registered: boolean | null,
  optionsMs: number | null,
  message: string,
  ok = false,
): TrunkCheck => ({
  ok,
  registered,
  optionsMs,
  message,
})

const mendOfRegistration = (status: number | null): string => {
  if (status === 401 || status === 403 || status === 407) return 'Check user name and password.'
  if (status === 404) return 'Check the user name: the registrar does not know it.'
  return status === null ? 'Check host, port and transport.' : 'It is tried again.'
}

/** Waits for a registration that has just begun. */
async function settled(trunk: Trunk, { registrationOf, nowMs, after }: CheckTrunkParts) {
  const until = nowMs() + answerMs
  for (;;) {
    const state = registrationOf(trunk)
    if (state?.is !== 'registering' || nowMs() >= until) return state
    await new Promise<void>((resolve) => void after(pollMs, resolve))
  }
}

async function ping(
  trunk: HostedTrunk,
  to: Destination,
  parts: CheckTrunkParts,
): Promise<{ ms: number; status: number } | null> {
  const { endpoint, random, contact } = parts.callParts(trunk.transport)
  const user = trunk.credentials?.username ?? trunk.number
  const local = `<sip:${encodeURIComponent(user).replaceAll('%2B', '+')}@${printHost(trunk.host)}>`
  const [tag, callId] = [random(8), random(16)]
  const auth = new ClientAuth(trunk.credentials, random)
  const request = (sequence: number): SipRequest => ({
    kind: 'request',
    method: 'OPTIONS',
    uri: requestUri(trunk, parts.edge),
    headers: [
      ...parts.edge.routes.map((value) => ({ name: 'Route', value })),
      { name: 'Max-Forwards', value: '70' },
      { name: 'From', value: `${local};tag=${tag}` },
      { name: 'To', value: `<${hostUri(trunk)}>` },
      { name: 'Call-ID', value: callId },
      { name: 'CSeq', value: `${sequence} OPTIONS` },
      { name: 'Contact', value: `<${contact(to)}>` },
      { name: 'Accept', value: 'application/sdp' },
    ],
    body: noBody,
  })
  const ask = (sequence: number) =>
    new Promise<SipResponse | null>((resolve) => {
      const sent = endpoint.request(auth.sign(request(sequence)), to, {
        onResponse: (response) => response.status >= 200 && resolve(response),
        onTimeout: () => resolve(null),
      })
      parts.after(answerMs, () => {
        sent.cancelTimers()
        resolve(null)
      })
    })
  const startMs = parts.nowMs()
  const first = await ask(1)
  if (!first) return null
  const ms = Math.round(parts.nowMs() - startMs)
  const isChallenge = (first.status === 401 || first.status === 407) && auth.learn(first, 0)
  const last = isChallenge ? ((await ask(2)) ?? first) : first
  return { ms, status: last.status }
}

/** Why a connection cannot be made; null: it can. */
function faultOfConnection(to: Destination, trunk: HostedTrunk): Promise<string | null> {
  const { address: host, port, serverName } = to
  const where = `${trunk.host}:${port}`
  return new Promise((resolve) => {
    const socket =
      to.transport === 'tcp'
        ? connectTcp({ host, port })
        : connectTls({ host, port, servername: serverName ?? '' })
    const done = (fault: string | null) => {
      socket.destroy()
      resolve(fault)
    }
    socket.setTimeout(answerMs, () =>
      done(`${where} does not answer: check the port, and firewalls in between.`),
    )
    socket.once(to.transport === 'tcp' ? 'connect' : 'secureConnect', () => done(null))
    socket.once('error', (error: NodeJS.ErrnoException) =>
      done(sentenceOf(error, where, socket as TLSSocket)),
    )
  })
}

function sentenceOf(error: NodeJS.ErrnoException, where: string, socket: TLSSocket): string {
  if (error.code === 'ECONNREFUSED') return `${where} refuses connections: check the port and the transport.`
  if (error.code === 'EHOSTUNREACH' || error.code === 'ENETUNREACH')
    return `${where} cannot be reached from here.`
  const isCertificate = /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(
    `${error.code} ${socket.authorizationError ?? ''}`,
  )
  if (isCertificate) return `The certificate of ${where} is not trusted: ${error.message}.`
  return `The connection to ${where} failed: ${error.message}.`
}
