// Types to the agent instead of speaking.
import { type FormEvent, useState } from 'react'
import { Button } from '../ui/controls/button.tsx'

// The longest text that the line accepts at once.
const longest = 2_000

export function TypeBox({ onSend }: { onSend(text: string): void }) {
  const [text, setText] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    onSend(text.trim())
    setText('')
  }
  return (
    <form onSubmit={send} className="flex gap-2 border-t border-line p-3">
      <input
        aria-label="Type to the agent"
        value={text}
        maxLength={longest}
        autoComplete="off"
        placeholder="Type instead of speaking…"
        onChange={({ target }) => setText(target.value)}
        className="h-9 min-w-0 flex-1 rounded-md border border-edge bg-surface px-3 text-base shadow-card sm:text-sm"
      />
      <Button type="submit" kind="primary" className="h-9!">
        Send
      </Button>
    </form>
  )
}
