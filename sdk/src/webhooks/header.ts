// The headers of a delivery, in whichever form the framework passes them.

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** The value of a header. One that was sent twice is joined as HTTP defines, so that neither copy is silently preferred. */
export function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? [])
  return values.length > 0 ? values.join(', ') : undefined
}
