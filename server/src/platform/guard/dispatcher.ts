// The connections to the world: kept alive, bounded, each opened by the guard's connector.
import { Agent, Client, type Dispatcher, Pool } from 'undici'
import type { Connect } from './connector.ts'

// Enough for a burst of deliveries to one receiver without taking all our file handles.
const connectionsPerOrigin = 64

// Long enough for the next event of a busy receiver. Receivers may ask for less, not for more.
const keepAliveMs = 10_000

export function openDispatcher(connect: Connect): Dispatcher {
  return new Agent({
    connections: connectionsPerOrigin,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    factory: (origin, options) =>
      new Pool(origin, { ...options, factory: (url, pooled) => openClient(url, pooled, connect) }),
  })
}

/**
 * undici does not tell a connector for which request it connects, and lets go of no connection that is not
 * open yet. A client has one request at a time, so the latest request's signal ends the attempt.
 */
function openClient(url: URL, options: object, connect: Connect): Client {
  let signal: AbortSignal | undefined
  const client = new Client(url, { ...options, connect: (target, done) => connect(target, signal, done) })
  const dispatch = client.dispatch.bind(client)
  client.dispatch = (request, handler) => {
    signal = 'signal' in request && request.signal instanceof AbortSignal ? request.signal : undefined
    return dispatch(request, handler)
  }
  return client
}
