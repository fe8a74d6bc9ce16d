// What of calls needs no database. The thread that runs calls loads nothing that queries one.
export { variableFiller } from './plan/fill-variables.ts'
export { openRecording } from './recordings/recording-file.ts'
