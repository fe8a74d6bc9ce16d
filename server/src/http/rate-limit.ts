// Step 4: rate limit per key and minute, reported in every response.
import type { FastifyReply } from 'fastify'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db/db.ts'
import { fail } from './failure.ts'

const windowSeconds = 60

export function rateLimit(
  { rateLimitPerMinute, rateLimitStore }: Pick<Config, 'rateLimitPerMinute' | 'rateLimitStore'>,
  db: Db,
) {
  const rule = { points: rateLimitPerMinute, duration: windowSeconds, keyPrefix: '' }
  const limiter =
    rateLimitStore === 'memory'
      ? new RateLimiterMemory(rule)
      : new RateLimiterPostgres({
          ...rule,
          storeClient: db.pool,
          storeType: 'pool',
          tableName: 'rate_limits',
          tableCreated: true,
          clearExpiredByTimeout: false,
          // A key over its limit costs no query until its minute is over.
          inMemoryBlockOnConsumed: rateLimitPerMinute + 1,
        })
  const policy = `"default";q=${rateLimitPerMinute};w=${windowSeconds}`
  return {
    /** Counts one request of `who`, or fails with RATE_LIMITED. */
    async take(who: string, reply: FastifyReply): Promise<void> {
      let refused = false
      const left = await limiter.consume(who).catch((reason: unknown) => {
        if (!(reason instanceof RateLimiterRes)) throw reason
        refused = true
        return reason
      })
      const seconds = Math.ceil(left.msBeforeNext / 1000)
      reply.header('ratelimit-policy', policy)
      reply.header('ratelimit', `"default";r=${refused ? 0 : left.remainingPoints};t=${seconds}`)
      if (refused) fail('RATE_LIMITED', { headers: { 'retry-after': String(Math.max(1, seconds)) } })
    },
  }
}

export type RateLimit = ReturnType<typeof rateLimit>
