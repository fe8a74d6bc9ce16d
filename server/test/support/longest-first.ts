// The order of the test files: the longest first, so that none of them is still running alone when the others are done.
// Unit tests, of which there are many short ones, fill the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes more than half a minute of two cores; the rest is small enough for any order. */
const longest = [
  'scenarios',
  'behind-prism',
  'transcripts-spoken',
  'transcripts-faults',
  'embedded-engine',
  'calls-in-a-browser',
  'start-and-stop',
  'every-page-in-a-browser',
  'dashboard-in-a-browser',
  'transcripts-jobs',
  'webhooks-in-a-browser',
  'batches-running',
  'agent-editor-in-a-browser',
  'dependency-rules',
  'people-in-a-browser',
  'graph-in-a-browser',
  'knowledge',
  'kokoro',
  'wren',
  'openapi-document',
  'racing-commands',
  'moonshine',
  'call-faults',
  'api-samples',
  'any-request',
  'knowledge-call',
  'calls-with-a-model',
]

const projects = ['in a fresh process', 'with services', 'unit', 'in real time']

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
