// The buttons that copy a transcript or save it as a file.
import { Button } from '../ui/controls/button.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { formats, type Line } from './edited-transcript.ts'

const fileWords = { txt: 'Text', srt: 'SRT', vtt: 'VTT' } as const

export function TranscriptFiles({ lines }: { lines: readonly Line[] }) {
  const toast = useToast()
  const download = (format: keyof typeof formats) => {
    const url = URL.createObjectURL(new Blob([formats[format](lines)], { type: 'text/plain' }))
    const link = Object.assign(document.createElement('a'), { href: url, download: `transcript.${format}` })
    link.click()
    setTimeout(() => URL.revokeObjectURL(url))
  }
  const copy = async () => {
    await navigator.clipboard.writeText(formats.txt(lines))
    toast('Copied')
  }
  return (
    <div className="ml-auto flex flex-wrap items-center gap-2">
      <Button onClick={copy}>Copy</Button>
      {(Object.keys(fileWords) as (keyof typeof fileWords)[]).map((format) => (
        <Button key={format} onClick={() => download(format)}>
          {fileWords[format]}
        </Button>
      ))}
    </div>
  )
}
