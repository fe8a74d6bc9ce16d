// A secret or a snippet with a button that copies it.
import { useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icons.tsx'

interface CopyableProps {
  text: string
  label: string
  /** Whether the text has many lines, which use the full width of a narrow screen. */
  long?: boolean
}

export function Copyable({ text, label, long = false }: CopyableProps) {
  const [copied, setCopied] = useState(false)
  const element = useRef<HTMLElement>(null)

  const select = () => element.current && getSelection()?.selectAllChildren(element.current)
  // The clipboard exists only on https and localhost; elsewhere the text is selected for manual copying.
  const copy = () =>
    navigator.clipboard ? navigator.clipboard.writeText(text).then(() => setCopied(true), select) : select()
  return (
    <div
      className={`flex gap-2 rounded-md border border-edge bg-hover py-2 pr-2 pl-3 ${long ? 'flex-col-reverse items-end sm:flex-row sm:items-start' : 'items-start'}`}
    >
      <code
        ref={element}
        data-testid={label}
        className="min-w-0 flex-1 self-stretch pt-1 font-mono text-xs leading-relaxed wrap-anywhere whitespace-pre-wrap"
      >
        {text}
      </code>
      <Button size="small" onClick={copy} aria-label={`Copy the ${label}`}>
        <Icon name={copied ? 'check' : 'copy'} className="size-3.5" />
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  )
}
