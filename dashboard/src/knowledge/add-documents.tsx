// Adds documents: files by dropping or choosing them, an address or a whole site, or a text.
import type { addDocument, BodyOf, KnowledgeDocument } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useId, useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { useWhyNot } from '../ui/controls/may.tsx'
import { Progress } from '../ui/feedback/progress.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { AreaField, NumberField, TextField } from '../ui/forms/fields.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'
import type { Tree } from '../ui/forms/tree.ts'
import { Pair } from '../ui/layout/section.tsx'
import { Tabs } from '../ui/layout/tabs.tsx'
import { type RepositoryPlace, useKnowledgeRefresh } from './knowledge.ts'

type Way = 'files' | 'address' | 'text'

const ways: Record<Way, string> = { files: 'Files', address: 'Address or site', text: 'Text' }

export function AddDocuments({ place }: { place: RepositoryPlace }) {
  const [way, setWay] = useState<Way>('files')
  const panelId = useId()
  return (
    <section
      aria-label="Add documents"
      className="rounded-xl border border-line bg-surface p-4 shadow-card sm:p-5"
    >
      <h2 className="mb-3 font-semibold">Add documents</h2>
      <Tabs label="Kind of document" tabs={ways} chosen={way} controls={panelId} onChoose={setWay} />
      <div id={panelId} role="tabpanel" aria-label={ways[way]} className="-mt-2">
        {way === 'files' && <DropFiles place={place} />}
        {way === 'address' && (
          <AddByForm key="address" place={place} start={{ url: '' }} fields={<AddressFields />} />
        )}
        {way === 'text' && (
          <AddByForm key="text" place={place} start={{ text: '' }} fields={<TextFields />} />
        )}
      </div>
    </section>
  )
}

/** The state of one upload. */
interface Upload {
  readonly name: string
  readonly share: number
  readonly error?: Error
}

const kinds = '.txt,.md,.markdown,.html,.htm,.pdf,.docx,.csv'

function DropFiles({ place: { workspaceId, repositoryId } }: { place: RepositoryPlace }) {
  const id = useId()
  const refresh = useKnowledgeRefresh()
  const toast = useToast()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const [over, setOver] = useState(false)
  const whyNot = useWhyNot(voice.addDocument)
  const note = (name: string, change: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.name === name ? { ...one, ...change } : one)))

  const add = async (files: readonly File[]) => {
    if (files.length === 0) return
    setUploads(files.map(({ name }) => ({ name, share: 0 })))
    let added = 0
    // Files are sent one after the other: each has the whole bandwidth, and the list keeps their order.
    for (const file of files) {
      try {
        await api.addFile(workspaceId, repositoryId, file, (share) => note(file.name, { share }))
        note(file.name, { share: 1 })
        added++
        refresh()
      } catch (error) {
        note(file.name, { error: error as Error })
      }
    }
    setUploads((all) => all.filter(({ error }) => error))
    if (added > 0) toast(added === 1 ? 'Document added' : `${added} documents added`)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (whyNot === undefined) add([...event.dataTransfer.files])
  }
  return (
    <div className="space-y-3">
      <label
        htmlFor={id}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={`relative flex flex-col items-center rounded-xl border border-dashed px-6 py-8 text-center transition-colors focus-within:border-accent hover:bg-hover/60 ${over ? 'border-accent bg-accent-soft' : 'border-edge'}`}
      >
        <Icon name="docs" className="mb-2 size-5 text-muted" />
        <span className="font-medium">Choose files, or drop them here</span>
        <span className="mt-0.5 text-[0.8125rem] text-muted">
          PDF, Word, HTML, Markdown, plain text or CSV, up to 25 MB each
        </span>
        <input
          id={id}
          type="file"
          multiple
          accept={kinds}
          aria-label="Choose files"
          disabled={whyNot !== undefined}
          title={whyNot}
          onChange={({ target }) => {
            add([...(target.files ?? [])])
            target.value = ''
          }}
          className="absolute inset-0 cursor-pointer opacity-0"
        />
      </label>
      {uploads.map(({ name, share, error }) => (
        <div key={name} role={error ? 'alert' : undefined}>
          <p className="text-[0.8125rem] font-medium wrap-anywhere">{name}</p>
          {error ? (
            <p className="text-[0.8125rem] wrap-anywhere text-bad">{error.message}</p>
          ) : (
            <Progress label={`Upload of ${name}`} share={share} />
          )}
        </div>
      ))}
    </div>
  )
}

interface AddByFormProps {
  place: RepositoryPlace
  start: Tree
  fields: React.ReactNode
}

function AddByForm({ place: { workspaceId, repositoryId }, start, fields }: AddByFormProps) {
  const refresh = useKnowledgeRefresh()
  const toast = useToast()
  const form = useForm<Tree>(start)
  const add = useMutation({
    mutationFn: (values: Tree): Promise<KnowledgeDocument> =>
      api.addDocument(workspaceId, repositoryId, filled(values) as BodyOf<typeof addDocument>),
    onSuccess: ({ title }) => {
      refresh()
      toast(`${title} added`)
      form.replace(start)
    },
  })
  return (
    <Form form={form} error={add.error} needs={voice.addDocument} onSubmit={(values) => add.mutate(values)}>
      {fields}
      <Button type="submit" kind="primary" needs={voice.addDocument} busy={add.isPending}>
        Add
      </Button>
    </Form>
  )
}

const filled = (values: Tree): Tree =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== undefined))

const AddressFields = () => (
  <>
    <TextField
      path="url"
      label="Address"
      type="url"
      placeholder="https://www.example.com/help"
      hint="A page, a file, or a sitemap (XML), which stands for all of its pages."
      autoComplete="off"
      spellCheck={false}
    />
    <Pair>
      <NumberField
        path="depth"
        label="Follow links"
        unit="links"
        hint="How far from the address pages of the same site are read. Empty: this page only."
      />
      <NumberField path="max_pages" label="At most" unit="pages" min={1} hint="Empty: 100." />
    </Pair>
  </>
)

const TextFields = () => (
  <>
    <TextField path="title" label="Title" placeholder="Opening hours" autoComplete="off" />
    <AreaField path="text" label="Text" rows={6} hint="Plain text or Markdown." />
  </>
)
