// Runs calls in a media thread on the virtual clock.
import { type MediaRunnerOptions, openMediaRunner } from '../../src/main/media/media-runner.ts'

const thread = new URL('./virtual-media-thread.ts', import.meta.url)

export const openVirtualRunner = (options: MediaRunnerOptions) => openMediaRunner(options, thread)
