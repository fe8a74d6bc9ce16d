// A form whose fields are named by their path on the wire, so that the server's faults are shown at their fields.
import type { Fault } from '@parley/contract'
import type { Address } from '@parley/contract/addresses'
import { createContext, type FormEvent, type ReactNode, use, useEffect, useRef, useState } from 'react'
import { Refusal } from '../../api.ts'
import { useWhyNot } from '../controls/may.tsx'
import { RefusalNotice } from '../feedback/refusal-notice.tsx'
import { type Tree, valueAt, withValue } from './tree.ts'

export interface FormState<Values extends Tree> {
  readonly values: Values
  set(path: string, value: unknown): void
  replace(values: Values): void
}

export function useForm<Values extends Tree>(start: Values): FormState<Values> {
  const [values, replace] = useState(start)
  return {
    values,
    replace,
    set: (path, value) => replace((former) => withValue(former, path, value) as Values),
  }
}

interface Surroundings {
  readonly form: FormState<Tree>
  readonly faults: readonly Fault[]
}

const Around = createContext<Surroundings | null>(null)

export function useField(path: string) {
  const around = use(Around)
  if (!around) throw new Error(`The field ${path} stands outside a form.`)
  return {
    value: valueAt(around.form.values, path),
    set: (value: unknown) => around.form.set(path, value),
    // A fault of one item of a list is a fault of the list.
    fault: around.faults.find((fault) => fault.path === path || fault.path.startsWith(`${path}.`))?.message,
  }
}

/** Every fault of the last attempt, by the path of its field. */
export function useFaults(): readonly Fault[] {
  return use(Around)?.faults ?? []
}

/** All values, for what depends on more than one field. */
export function useValues(): Tree {
  return use(Around)?.form.values ?? {}
}

interface FormProps<Values extends Tree> {
  form: FormState<Values>
  /** The error of the server, or of a check before it. */
  error: Error | null
  /** The object that holds the values on the wire, such as agent_config. */
  below?: string
  onSubmit(values: Values): void
  /** The operation that saves the form. Users who may not use it can only read. */
  needs?: Pick<Address, 'access'>
  className?: string
  children: ReactNode
}

export function Form<Values extends Tree>({ form, error, below, onSubmit, ...rest }: FormProps<Values>) {
  const { className = 'space-y-4', needs, children } = rest
  const whyNot = useWhyNot(needs)
  const element = useRef<HTMLFormElement>(null)
  const faults = error instanceof Refusal ? error.faults.map((fault) => outOf(below, fault)) : []

  useEffect(() => {
    if (!error) return
    const faulty = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (faulty) faulty.focus()
    else element.current?.querySelector('[role=alert]')?.scrollIntoView({ block: 'center' })
  }, [error])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit(form.values)
  }
  return (
    <form ref={element} noValidate onSubmit={submit} className="min-w-0 space-y-4">
      {/* The notice is outside the fieldset: Chromium does not lay out a container anew that is no longer its first child. */}
      {error && <RefusalNotice error={error} />}
      <fieldset disabled={whyNot !== undefined} title={whyNot} className={`min-w-0 ${className}`}>
        <Around value={{ form: form as unknown as FormState<Tree>, faults }}>{children}</Around>
      </fieldset>
    </form>
  )
}

const outOf = (below: string | undefined, fault: Fault): Fault =>
  below && fault.path.startsWith(`${below}.`) ? { ...fault, path: fault.path.slice(below.length + 1) } : fault
