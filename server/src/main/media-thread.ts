// The media thread: one clock, one set of engines, and every call of this process.
import { workerData } from 'node:worker_threads'
import type { Birth } from './media-messages.ts'
import { serveCalls } from './serve-calls.ts'
import { openStudio } from './media-runtime.ts'

serveCalls((log) => openStudio(workerData as Birth, log))
