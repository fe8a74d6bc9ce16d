// What ties a browser, whose socket one thread holds, to its line in another.
import type { MessagePort } from 'node:worker_threads'
import type { FromBrowser, ToBrowser } from '@parley/contract'

/** What comes from the browser over the port; `gone`: its socket is closed. */
export type FromLink = FromBrowser | { readonly type: 'gone' }

/** What goes to the browser over the port; the bell says that there is sound for it. */
export type ToLink = ToBrowser | 'bell'

export interface BrowserLink {
  readonly port: MessagePort
  /** Rings of frames, see adapters/browser/frame-ring.ts. */
  readonly up: SharedArrayBuffer
  readonly down: SharedArrayBuffer
}
