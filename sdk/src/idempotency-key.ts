// A key for one POST. It has to be unique among the requests of one API key; it need not be secret.

/** Node 18 has no global `crypto`, and browsers have `randomUUID` on secure pages only. */
export const newIdempotencyKey = (
  crypto: { randomUUID?: () => string } | null = globalThis.crypto ?? null,
): string => crypto?.randomUUID?.() ?? `${Date.now().toString(36)}-${randomText()}-${randomText()}`

const randomText = () => Math.random().toString(36).slice(2)
