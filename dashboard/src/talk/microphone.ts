// The microphone of this browser, and what to do when it cannot be had.
const wishes = { echoCancellation: true, noiseSuppression: true, autoGainControl: true } as const

/** Without an id, the one that the browser prefers. */
export async function openMicrophone(deviceId?: string): Promise<MediaStream> {
  if (!navigator.mediaDevices)
    throw new Error('This browser gives the microphone only to pages on https or on localhost.')
  // A device that was unplugged since it was chosen is replaced by another.
  const audio = { ...wishes, ...(deviceId && { deviceId: { ideal: deviceId } }) }
  return navigator.mediaDevices.getUserMedia({ audio })
}

/** For those who type: a line wants a microphone, and this one is silent. */
export const silentMicrophone = (): MediaStream => new AudioContext().createMediaStreamDestination().stream

const microphoneWords: Record<string, string> = {
  NotAllowedError:
    'The microphone was refused. Allow it for this page in the address bar, then call again; or type instead.',
  NotFoundError: 'No microphone was found. Plug one in, then call again; or type instead.',
  NotReadableError: 'The microphone is in use by another program. Close that one, then call again.',
}

/** One sentence with the mend; undefined: it was something else. */
export const microphoneFault = (error: unknown): string | undefined =>
  error instanceof DOMException
    ? (microphoneWords[error.name] ?? 'The microphone could not be opened.')
    : undefined
