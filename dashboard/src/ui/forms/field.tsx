// One labelled field: its label, its hint, and the server's error.
import { type ReactNode, useId } from 'react'

export interface InputAttributes {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean
}

interface FieldProps {
  label: string
  hint?: ReactNode
  fault: string | undefined
  children(wiring: InputAttributes): ReactNode
}

export function Field({ label, hint, fault, children }: FieldProps) {
  const id = useId()
  const said = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1.5 block text-[0.8125rem] font-medium">
        {label}
      </label>
      {children({ id, 'aria-describedby': said || undefined, 'aria-invalid': fault !== undefined })}
      {fault && (
        <p id={`${id}-fault`} className="mt-1.5 text-[0.8125rem] text-bad">
          {fault}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-[0.8125rem] text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}

// 16 px on phones: below that iOS zooms the page when the field is focused.
export const boxLooks =
  'block w-full rounded-md border border-edge bg-surface px-2.5 text-base text-ink shadow-card transition-[border-color] hover:border-muted/60 focus:border-accent focus:outline-2 focus:outline-offset-0 focus:outline-accent/30 aria-invalid:border-bad sm:text-sm disabled:opacity-60'
