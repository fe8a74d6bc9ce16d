// The HTTP server: what every request passes before and after its route.

import { limits } from '@parley/contract'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Log } from '../platform/log.ts'
import { parseJson } from './body.ts'
import { handleErrors, refuseBeforeRouting, refuseConnection } from './errors.ts'
import { type Failure, fail } from './failure.ts'
import type { Metrics } from './metrics.ts'
import { requestIdOf } from './request-id.ts'
import { writeWideLines } from './request-log.ts'

export interface AppOptions {
  log: Log
  metrics: Metrics
  trustProxy: boolean
  /** Time limit for a file upload. */
  uploadSeconds: number
}

// Longer than any of our paths; anything beyond is a 404, not an error.
const longestParam = 2_000
// A client that has not finished its request by then is broken or hostile.
const requestTimeoutMs = 60_000

export function buildApp({ log, metrics, trustProxy, uploadSeconds }: AppOptions): FastifyInstance {
  const app = Fastify({
    genReqId: requestIdOf,
    bodyLimit: limits.bodyBytes,
    requestTimeout: Math.max(requestTimeoutMs, uploadSeconds * 1000),
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // While draining, requests on open connections are still served, with `connection: close`.
    return503OnClosing: false,
    trustProxy,
    clientErrorHandler: refuseConnection,
    routerOptions: { maxParamLength: longestParam, ignoreTrailingSlash: false },
    frameworkErrors: refuseBeforeRouting,
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      if (request.headers['content-encoding']) {
        fail('UNSUPPORTED_CONTENT_TYPE', { message: 'Send the body without a Content-Encoding.' })
      }
      done(null, parseJson(bytes as Buffer))
    } catch (error) {
      done(error as Failure)
    }
  })
  limitRequestTime(app)
  writeWideLines(app, log, metrics)
  handleErrors(app, log)
  app.setNotFoundHandler(() => fail('ROUTE_NOT_FOUND'))
  // Node answers an unknown Expect header with 417 by itself; the API has no such status.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  return app
}

/** Node has a single request timeout. It must fit file uploads, so all other requests get the short one here. */
function limitRequestTime(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { raw, headers } = request
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
    if (!hasBody || request.routeOptions.config?.carriesFile) return done(null, payload)
    const timer = setTimeout(() => {
      refuseConnection(new Error('too slow'), raw.socket)
      raw.socket.destroySoon()
    }, requestTimeoutMs)
    const arrived = () => clearTimeout(timer)
    raw.once('end', arrived).once('close', arrived)
    done(null, payload)
  })
}
