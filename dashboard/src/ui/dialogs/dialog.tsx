// A modal dialog. The browser's own element keeps the focus inside and closes on Escape.
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Button } from '../controls/button.tsx'
import { Icon } from '../controls/icons.tsx'

interface DialogProps {
  title: string
  onClose(): void
  children: ReactNode
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // Closed before the element is removed, so that the browser can restore the focus.
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    dialog?.querySelector<HTMLElement>('input, select')?.focus()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={element}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      className="m-auto w-[min(30rem,calc(100vw-2rem))] rounded-xl border border-line bg-surface p-0 text-ink shadow-2xl"
    >
      <div className="flex items-center justify-between gap-4 px-5 pt-4">
        <h2 id={titleId} className="text-base font-semibold tracking-tight">
          {title}
        </h2>
        <Button kind="quiet" size="small" aria-label="Close" onClick={onClose} className="-mr-2">
          <Icon name="close" />
        </Button>
      </div>
      <div className="px-5 pt-3 pb-5">{children}</div>
    </dialog>
  )
}

/** The buttons of a form: submit and cancel. */
export function FormActions({ verb, busy, onClose }: { verb: string; busy: boolean; onClose(): void }) {
  return (
    <DialogActions>
      <Button type="submit" kind="primary" busy={busy}>
        {verb}
      </Button>
      <Button onClick={onClose}>Cancel</Button>
    </DialogActions>
  )
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="flex flex-row-reverse justify-start gap-2 pt-2">{children}</div>
}
