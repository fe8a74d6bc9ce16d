// Opens the microphone of this browser, and says what to do when that fails.
const wishes = { echoCancellation: true, noiseSuppression: true, autoGainControl: true } as const

/** Opens a microphone. Without an id, it is the browser's own choice. */
export async function openMicrophone(deviceId?: string): Promise<MediaStream> {
  if (!navigator.mediaDevices)
    throw new Error('This browser gives the microphone only to pages on https or on localhost.')
  // A device that was unplugged since it was chosen is replaced by another.
  const audio = { ...wishes, ...(deviceId && { deviceId: { ideal: deviceId } }) }
  return navigator.mediaDevices.getUserMedia({ audio })
}

const microphoneWords: Record<string, string> = {
  NotAllowedError:
    'The microphone was refused. Allow it for this page in the address bar, then call again; or type instead.',
  NotFoundError: 'No microphone was found. Plug one in, then call again; or type instead.',
  NotReadableError: 'The microphone is in use by another program. Close that one, then call again.',
}

/** A sentence that says what to do. Undefined: the error is not about the microphone. */
export const microphoneFault = (error: unknown): string | undefined =>
  error instanceof DOMException
    ? (microphoneWords[error.name] ?? 'The microphone could not be opened.')
    : undefined
