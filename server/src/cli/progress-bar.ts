// A progress bar on the last line of a terminal; silent if the stream is not a terminal.
import type { Terminal } from './shell.ts'

const width = 30

export interface ProgressBar {
  show(share: number): void
  clear(): void
}

export function progressBar(stream: Terminal['stderr']): ProgressBar {
  let shown = ''
  const draw = (text: string) => {
    if (!stream.isTTY || text === shown) return
    stream.write(`\r${text.padEnd(shown.length)}`)
    shown = text
  }
  draw(barAt(0))
  return {
    show: (share) => draw(barAt(share)),
    clear() {
      draw('')
      if (stream.isTTY) stream.write('\r')
    },
  }
}

/** ████████░░░░░░ 42 % */
export function barAt(share: number): string {
  const known = Math.min(1, Math.max(0, share))
  const full = Math.round(known * width)
  return `${'█'.repeat(full)}${'░'.repeat(width - full)} ${String(Math.round(known * 100)).padStart(3)} %`
}
