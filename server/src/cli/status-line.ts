// What a long command is at, on the last line of a terminal; silent if the stream is not a terminal.
import type { Terminal } from './shell.ts'

// Often enough to look alive.
const everyMs = 100

export interface StatusLine {
  show(what: string, bytes: number): void
  clear(): void
}

export function statusLine(stream: Terminal['stderr']): StatusLine {
  let shown = ''
  let shownAt = 0
  const draw = (text: string) => {
    if (!stream.isTTY || text === shown) return
    stream.write(`\r${text.padEnd(shown.length)}`)
    shown = text
  }
  return {
    show(what, bytes) {
      if (performance.now() - shownAt < everyMs) return
      shownAt = performance.now()
      draw(`${what}  ${(bytes / 1e6).toFixed(1)} MB`)
    },
    clear() {
      draw('')
      if (stream.isTTY) stream.write('\r')
    },
  }
}
