// Load on one address: as many requests as it takes, from connections that always wait for their answer.
import autocannon from 'autocannon'

// More than the database connections on either side, so that both have a queue and neither idles.
const connections = 32

/** Answers with 2xx a second. Any other answer spoils the measurement. */
export async function requestsPerSecond(
  url: string,
  seconds: number,
  requests: autocannon.Request[],
): Promise<number> {
  const result = await autocannon({ url, connections, duration: seconds, requests })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} answers were not 2xx, ${result.errors} requests failed`)
  }
  return result['2xx'] / result.duration
}
