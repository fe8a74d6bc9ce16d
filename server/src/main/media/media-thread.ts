// The media thread: one clock, one set of engines, and every call of this process.
import { workerData } from 'node:worker_threads'
import type { MediaThreadOptions } from './media-messages.ts'
import { openMediaRuntime } from './media-runtime.ts'
import { serveCalls } from './serve-calls.ts'

serveCalls((log) => openMediaRuntime(workerData as MediaThreadOptions, log))
