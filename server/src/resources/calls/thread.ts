// What the thread that runs calls needs of them. It opens no database, so it must not load what queries one.
export { variableFiller } from './plan/fill-variables.ts'
export { openRecording } from './recordings/recording-file.ts'
