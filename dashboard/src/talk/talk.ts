// What other features use of calls from this browser.
export { BrowserCall, isUnderWay } from './browser-call.ts'
export { chosenDevices } from './devices.ts'
export { GreetingButton } from './greeting-button.tsx'
export { LevelBar } from './level-bar.tsx'
