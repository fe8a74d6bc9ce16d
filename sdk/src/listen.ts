// The receiver behind `parley listen`. Node only.
export { ListenFlagError, type ListenFlags, readListenFlags } from './listen/flags.ts'
export { type Listening, type ListenOptions, listen } from './listen/listen.ts'
