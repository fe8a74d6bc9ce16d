// The chosen microphone and loudspeaker, which this browser remembers.
import { useEffect, useState } from 'react'

export interface Devices {
  readonly microphone: string
  readonly speaker: string
}

const rememberedAs = { microphone: 'parley.microphone', speaker: 'parley.speaker' } as const

/** The ids of the chosen devices. Empty: the browser's own choice. */
export const chosenDevices = (): Devices => ({
  microphone: localStorage.getItem(rememberedAs.microphone) ?? '',
  speaker: localStorage.getItem(rememberedAs.speaker) ?? '',
})

/** Not every browser lets a page choose the loudspeaker. */
export const canChooseSpeaker = 'setSinkId' in HTMLMediaElement.prototype

export interface DeviceChoice {
  readonly chosen: Devices
  /** Names by id. Browsers tell the names once the microphone was allowed. */
  readonly microphones: Record<string, string>
  readonly speakers: Record<string, string>
  choose(part: Partial<Devices>): void
}

export function useDevices(): DeviceChoice {
  const [chosen, setChosen] = useState(chosenDevices)
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>([])
  useEffect(() => {
    const { mediaDevices } = navigator
    if (!mediaDevices) return
    const look = () => void mediaDevices.enumerateDevices().then(setDevices, () => {})
    look()
    mediaDevices.addEventListener('devicechange', look)
    return () => mediaDevices.removeEventListener('devicechange', look)
  }, [])
  return {
    chosen,
    microphones: namesOf(devices, 'audioinput', 'Microphone'),
    speakers: namesOf(devices, 'audiooutput', 'Loudspeaker'),
    choose(part) {
      const next = { ...chosen, ...part }
      for (const [name, key] of Object.entries(rememberedAs))
        localStorage.setItem(key, next[name as keyof Devices])
      setChosen(next)
    },
  }
}

const namesOf = (devices: readonly MediaDeviceInfo[], kind: MediaDeviceKind, word: string) =>
  Object.fromEntries(
    devices
      .filter((device) => device.kind === kind && device.deviceId !== '')
      .map(({ deviceId, label }, at) => [deviceId, label || `${word} ${at + 1}`]),
  )
