// Paths: from the contract's syntax to the router's, and from a client to the router.
export const fastifyPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** A path that cannot be decoded is taken literally, so that it passes the same steps as any other. */
export function decodable(url: string): string {
  if (!url.includes('%')) return url
  const [path = ''] = url.split('?', 1)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}
