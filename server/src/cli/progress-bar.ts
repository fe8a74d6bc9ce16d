// The last line of a terminal, which shows how far something is; silent if the stream is not a terminal.
import type { Terminal } from './shell.ts'

const width = 30

export interface ProgressBar {
  show(share: number): void
  clear(): void
}

export function progressBar(stream: Terminal['stderr']): ProgressBar {
  const { draw, clear } = lastLine(stream)
  draw(barAt(0))
  return { show: (share) => draw(barAt(share)), clear }
}

export function lastLine(stream: Terminal['stderr']) {
  let shown = ''
  const draw = (text: string) => {
    if (!stream.isTTY || text === shown) return
    stream.write(`\r${text.padEnd(shown.length)}`)
    shown = text
  }
  const clear = () => {
    draw('')
    if (stream.isTTY) stream.write('\r')
  }
  return { draw, clear }
}

/** ████████░░░░░░ 42 % */
export function barAt(share: number): string {
  const known = Math.min(1, Math.max(0, share))
  const full = Math.round(known * width)
  return `${'█'.repeat(full)}${'░'.repeat(width - full)} ${String(Math.round(known * 100)).padStart(3)} %`
}
