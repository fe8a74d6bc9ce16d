// The headers of a delivery, however the framework hands them over.

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** A header sent twice is joined as HTTP joins it, so that neither copy is silently the one believed. */
export function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? [])
  return values.length > 0 ? values.join(', ') : undefined
}
