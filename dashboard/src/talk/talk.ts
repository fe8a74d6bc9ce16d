// What other features use of calls from this browser.
export { chosenDevices } from './devices.ts'
export { GreetingButton } from './greeting-button.tsx'
export { LevelBar } from './level-bar.tsx'
export { Line } from './line.ts'
export { type Meter, openMeter } from './meter.ts'
export { microphoneFault, openMicrophone } from './microphone.ts'
