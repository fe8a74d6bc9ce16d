// What of transcripts needs no database, for a command that transcribes a file by itself.
export { written } from './subtitles.ts'
export { shownFindings } from './transcript-record.ts'
export { type Options, transcriptionOptionsOf } from './transcription-options.ts'
