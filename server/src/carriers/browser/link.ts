// What connects a browser's socket, held by the main thread, to its line in the thread that runs calls.
import type { MessagePort } from 'node:worker_threads'
import type { FromBrowser, ToBrowser } from '@parley/contract'

/** Messages from the browser, over the port; `gone`: its socket is closed. */
export type FromLink = FromBrowser | { readonly type: 'gone' }

/** Messages to the browser, over the port; `bell`: there is audio for it. */
export type ToLink = ToBrowser | 'bell'

/** The payload of a browser's arrival. */
export interface BrowserLink {
  readonly port: MessagePort
  /** Rings of frames, see frame-ring.ts. */
  readonly up: SharedArrayBuffer
  readonly down: SharedArrayBuffer
}

/** Refuses an arrival. Does nothing when the link is already closed. */
export function refuseLink({ port }: BrowserLink, reason: string): void {
  port.postMessage({ type: 'refused', message: reason } satisfies ToLink)
  port.close()
}
