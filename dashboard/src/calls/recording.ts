// The recording of a call: where it is, and how loud both sides are in it.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { recordingAt, recordingPeaks } from '../api.ts'
import type { Peaks } from './waveform.tsx'

export interface Recording {
  readonly source: string
  /** Undefined until the peaks have been read. */
  readonly peaks: Peaks | undefined
}

/** `url`: signed; undefined: there is no recording. */
export function useRecording(url: string | undefined): Recording | undefined {
  // The signature changes with every look at the call; the sound does not.
  const [signed, setSigned] = useState(url)
  // Just after the end of a call its recording is not there yet.
  if (signed === undefined && url !== undefined) setSigned(url)
  const { data } = useQuery({
    queryKey: ['peaks', signed],
    queryFn: () => recordingPeaks(signed ?? ''),
    enabled: signed !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return signed === undefined ? undefined : { source: recordingAt(signed), peaks: data }
}
