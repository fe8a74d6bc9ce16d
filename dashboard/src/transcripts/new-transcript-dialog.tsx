// Uploads a recording and requests its transcript.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, Refusal } from '../api.ts'
import { go } from '../router.tsx'
import { Dialog, FormActions } from '../ui/dialogs/dialog.tsx'
import { Progress } from '../ui/feedback/progress.tsx'
import { SelectField } from '../ui/forms/choice-fields.tsx'
import { boxLooks, Field } from '../ui/forms/field.tsx'
import { NumberField } from '../ui/forms/fields.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'
import { Switch } from '../ui/forms/switch.tsx'
import { useTranscriptRefresh } from './transcript.ts'

// The most frequent languages. Others are detected.
const languages = {
  en: 'English',
  es: 'Spanish',
  fr: 'French',
  de: 'German',
  it: 'Italian',
  pt: 'Portuguese',
  nl: 'Dutch',
  hi: 'Hindi',
  ar: 'Arabic',
  zh: 'Chinese',
  ja: 'Japanese',
  ru: 'Russian',
}

interface Wish extends Record<string, unknown> {
  language?: string
  diarize: boolean
  num_speakers?: number
  align: boolean
}

export function NewTranscriptDialog({ workspaceId, onClose }: { workspaceId: string; onClose(): void }) {
  const [file, setFile] = useState<File>()
  const [uploaded, setUploaded] = useState(0)
  const refresh = useTranscriptRefresh()
  const form = useForm<Wish>({ diarize: false, align: true })
  const begin = useMutation({
    mutationFn: async ({ language, num_speakers, ...wish }: Wish) => {
      if (!file) throw new Refusal(400, { message: 'Choose a recording first.' })
      const { file_id } = await api.uploadFile(workspaceId, file, setUploaded)
      return api.createTranscript(workspaceId, {
        ...wish,
        file_id,
        ...(language && { language }),
        ...(wish.diarize && num_speakers !== undefined && { num_speakers }),
        metadata: { filename: file.name },
      })
    },
    onSuccess: ({ transcript_id }) => {
      refresh()
      onClose()
      go(`/transcripts/${transcript_id}`)
    },
  })
  const { diarize, align } = form.values
  return (
    <Dialog title="New transcript" onClose={onClose}>
      <Form form={form} error={begin.error} onSubmit={begin.mutate}>
        <Field label="Recording" hint="Audio or video, in any usual format." fault={undefined}>
          {(wiring) => (
            <input
              {...wiring}
              type="file"
              accept="audio/*,video/*"
              onChange={({ target }) => setFile(target.files?.[0])}
              className={`${boxLooks} py-1.5 file:mr-3 file:rounded file:border-0 file:bg-hover file:px-2.5 file:py-1 file:font-medium file:text-ink`}
            />
          )}
        </Field>
        <SelectField path="language" label="Language" options={languages} none="Detect it" />
        <Switch
          label="Tell speakers apart"
          hint={diarize ? 'Every line says who speaks.' : 'All lines are shown alike.'}
          on={diarize}
          busy={begin.isPending}
          onTurn={(on) => form.set('diarize', on)}
        />
        {diarize && <NumberField path="num_speakers" label="How many, if known" unit="speakers" min={1} />}
        <Switch
          label="Time every word"
          hint={align ? 'Subtitles change exactly with the words.' : 'Times are known for each line only.'}
          on={align}
          busy={begin.isPending}
          onTurn={(on) => form.set('align', on)}
        />
        {begin.isPending && <Progress label="Upload" share={uploaded} />}
        <FormActions verb="Transcribe" busy={begin.isPending} onClose={onClose} />
      </Form>
    </Dialog>
  )
}
