// The order of the test files: the longest first, so that none of them is still running alone when the others are done.
// Unit tests, of which there are many short ones, fill the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take more than half a minute beside the others; the rest is small enough for any order. */
const longest = [
  'scenarios',
  // Recordings are transcribed at the lowest priority: these files wait for a core that nobody else wants.
  'embedded-engine',
  'transcripts-faults',
  'transcripts-spoken',
  'every-page-in-a-browser',
  'start-and-stop',
  'calls-in-a-browser',
  'agent-editor-in-a-browser',
  'dependency-rules',
  'behind-prism',
  'transcripts-jobs',
  'knowledge',
  'transcripts-bad-input',
  'people-in-a-browser',
  'wren',
  'dashboard-in-a-browser',
  'graph-in-a-browser',
  'api-samples',
  'transcript-corrections-in-a-browser',
  'batches-running',
  'moonshine',
  'any-request',
  'knowledge-call',
  'kokoro',
  'webhooks-in-a-browser',
  'confined-parser',
  'call-faults',
  'languages',
  'life-of-a-call',
  'webhook-faults',
  'calls-with-a-model',
  'openapi-document',
  'sdk-package',
  'voices',
]

const projects = ['in a fresh process', 'with services', 'unit', 'dashboard', 'in real time']

const placeOf = ({ moduleId }: TestSpecification): number => {
  const name = moduleId.slice(moduleId.lastIndexOf('/') + 1, -'.test.ts'.length)
  const place = longest.indexOf(name)
  return place === -1 ? longest.length : place
}

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projectOf = ({ project }: TestSpecification) => projects.indexOf(project.name)
    return sorted.sort((one, other) => projectOf(one) - projectOf(other) || placeOf(one) - placeOf(other))
  }
}
