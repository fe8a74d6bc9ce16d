// Paths of operations.

/** The path with its parameters filled in and encoded. */
export const fill = (path: string, params: Record<string, unknown>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])))
