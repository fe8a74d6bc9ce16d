// The HTTP server: what every request passes before and after its route.

import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import type { Traces } from '../platform/telemetry/traces.ts'
import type { UpgradeRoutes } from '../platform/upgrades.ts'
import { answerExpectations, bodyMs } from './body/body-stream.ts'
import { discardUnreadBodies } from './body/unread-body.ts'
import { FailedAuthentications } from './doors/failed-authentication.ts'
import { handleErrors, refuseBeforeRouting, refuseConnection } from './errors.ts'
import { fail } from './failure.ts'
import type { Metrics } from './metrics.ts'
import { decodable } from './path.ts'
import { writeWideLines } from './request-log.ts'
import { traceRequests } from './request-trace.ts'

const decent = /^[A-Za-z0-9._-]{1,128}$/

function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && decent.test(given) ? given : newId()
}

export interface AppOptions {
  log: Log
  metrics: Metrics
  traces: Traces | undefined
  upgrades: UpgradeRoutes
  /** The proxies in front of us: how many, or their addresses. */
  trustProxy: false | number | string[]
  /** Time limit for a file upload. */
  uploadSeconds: number
  /** Failed authentications per address and minute. */
  authFailureLimit: number
}

// No parameter of our paths is as long; anything beyond is a 404, not an error.
const longestParam = 2_000

export function buildApp(options: AppOptions): FastifyInstance {
  const { log, metrics, traces, upgrades, trustProxy, uploadSeconds, authFailureLimit } = options
  const app = Fastify({
    http: {
      shouldUpgradeCallback: (request) => upgrades.takes(request),
      // Node would refuse a request without a Host header silently; see below.
      requireHostHeader: false,
    },
    genReqId: requestIdOf,
    requestTimeout: Math.max(bodyMs, uploadSeconds * 1000),
    forceCloseConnections: 'idle',
    // While draining, requests on open connections are still served, with `connection: close`.
    return503OnClosing: false,
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    clientErrorHandler: refuseConnection,
    routerOptions: { maxParamLength: longestParam, ignoreTrailingSlash: true },
    rewriteUrl: ({ url = '/' }) => decodable(url),
    frameworkErrors: refuseBeforeRouting,
  })
  // Fastify would read and parse a body before the request has passed its door: the doors read bodies themselves.
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']) {
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  }
  upgrades.attachTo(app.server)
  answerExpectations(app.server)
  discardUnreadBodies(app)
  writeWideLines(app, log, metrics)
  if (traces) traceRequests(app, traces)
  handleErrors(app, log, new FailedAuthentications(authFailureLimit, metrics))
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.httpVersion === '1.1' && raw.headers.host === undefined)
      fail('MALFORMED_REQUEST', { message: 'The header Host is missing.' })
  })
  app.setNotFoundHandler(() => fail('ROUTE_NOT_FOUND'))
  return app
}
