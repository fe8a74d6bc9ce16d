// HTTP load on one URL: as many requests as it can take, from connections that wait for each response.
import autocannon from 'autocannon'

// More than the database connections on either side, so that both have a queue and neither idles.
const connections = 32

/** Counts responses with 2xx per second. Any other response invalidates the measurement. */
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
