// Every sample of the API reference works as it is: curl in a shell, TypeScript with the compiler and in Node.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  createAgent,
  createPhoneNumber,
  createPronunciation,
  createTranscript,
  getTranscript,
  type Operation,
  transcriptOperations,
  voiceOperations,
} from '@parley/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transcriptionFace, voiceFace } from '../../src/http/openapi/openapi-faces.ts'
import { runProgram } from '../support/program.ts'
import { bodyFor, makeOne, unusedNumber, unusedWord } from '../support/requests/example.ts'
import { boundKey } from '../support/service.ts'
import { toneWav } from '../support/speech/sounds.ts'
import {
  openTranscriptionFixture,
  type TranscriptionFixture,
} from '../support/speech/transcription-fixture.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

interface Sample {
  readonly lang: string
  readonly source: string
}

const all = [
  ...voiceOperations.map((operation) => ({ operation, prefix: voiceFace.prefix })),
  ...transcriptOperations.map((operation) => ({ operation, prefix: transcriptionFace.prefix })),
]

let service: TranscriptionFixture
let folder: string
/** By the id of the operation. */
const samples = new Map<string, readonly Sample[]>()

beforeAll(async () => {
  service = await openTranscriptionFixture({
    // Nothing dials: a call that is watched is one that was stopped before.
    PARLEY_ROLES: 'api,speech',
    // The receivers of test deliveries do not exist.
    PARLEY_WEBHOOK_TIMEOUT_SECONDS: '0.2',
  })
  for (const prefix of [voiceFace.prefix, transcriptionFace.prefix]) {
    const { body } = await service.bare('GET', `${prefix}/openapi.json`)
    for (const item of Object.values(body.paths))
      for (const operation of Object.values(item as Record<string, Record<string, unknown>>))
        samples.set(String(operation.operationId), operation['x-codeSamples'] as readonly Sample[])
  }
  folder = await mkdtemp(join(tmpdir(), 'parley-samples-'))
  await writeFile(join(folder, 'meeting.mp3'), toneWav(2))
  await mkdir(join(folder, 'node_modules/@parley'), { recursive: true })
  await symlink(join(root, 'sdk'), join(folder, 'node_modules/@parley/sdk'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
})
afterAll(async () => {
  await service?.close()
  await rm(folder, { recursive: true, force: true })
})

/** The sample with ids of things that exist, in a state that the operation needs. */
async function workable(operation: Operation, lang: string): Promise<string> {
  const source = samples.get(operation.id)?.find((sample) => sample.lang === lang)?.source ?? ''
  const made = (await paramsOf(operation)) ?? {}
  const body = (await bodyFor(service, operation)) as { agent_id?: string } | undefined
  const exampleFile = idOf(createTranscript.example?.body)
  // Whatever is uploaded is examined by ffprobe, which takes longer than a request.
  const uploaded = () => (source.includes(exampleFile) ? service.fileOf(toneWav(2)) : undefined)
  const ids = {
    [numberOf(createPhoneNumber.example?.body)]: unusedNumber(),
    [wordOf(createPronunciation.example?.body)]: unusedWord(),
    [idOf(createAgent.example?.data)]: body?.agent_id ?? made.id,
    [exampleFile]: made.id ?? (await uploaded()),
    ...Object.fromEntries(
      Object.entries(operation.example?.params ?? {}).flatMap(([name, id]) => {
        const real = made[name] ?? id
        return [
          [id, real],
          [encodeURIComponent(id), encodeURIComponent(real)],
        ]
      }),
    ),
  }
  return Object.entries(ids).reduce((text, [id, real]) => text.replaceAll(id, String(real ?? id)), source)
}

const numberOf = (example: unknown): string => (example as { phone_number: string }).phone_number

const wordOf = (example: unknown): string => (example as { written: string }).written

const idOf = (example: unknown): string =>
  Object.entries(example as Record<string, string>).find(([key]) => key.endsWith('_id'))?.[1] ?? ''

async function paramsOf(operation: Operation): Promise<Record<string, string> | undefined> {
  if (!transcriptOperations.includes(operation)) {
    const made = await makeOne(service, operation)
    if (operation.id === 'watchCall') await service.ask('POST', `/calls/${made?.session_id}/stop`)
    if (operation.id === 'watchBatch') await service.ask('POST', `/batch-calls/${made?.id}/cancel`)
    return made
  }
  const { path } = operation
  if (!path.includes('{id}')) return undefined
  const file_id = await service.fileOf(toneWav(2))
  if (!path.startsWith('/transcripts')) return { id: file_id }
  const { body } = await service.speak('POST', createTranscript.path, { body: { file_id, diarize: true } })
  await service.ended(body.data.transcript_id)
  return { id: body.data.transcript_id }
}

// Samples that hang would hang forever.
const longestMs = 120_000

const run = (command: string, args: readonly string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const env = { ...process.env, KEY: boundKey }
    execFile(command, args, { cwd: folder, env, timeout: longestMs }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: `${stdout}${stderr}` }),
    )
  })

describe.each(all.map(({ operation }) => [operation.id, operation] as const))('%s', (_id, operation) => {
  it('by curl answers as documented', async () => {
    const source = await workable(operation, 'Shell')
    expect(source).toContain(service.url)
    const told = `curl() { command curl --silent --show-error --write-out '\\n%{http_code}' "$@"; }\n${source}`
    const { code, output } = await run('bash', ['-c', told])
    const [, text = '', status] = /^([\s\S]*)\n(\d+)$/.exec(output) ?? []
    expect([code, Number(status)], output).toEqual([0, operation.status])
    if (operation.answers === 'json' || operation === getTranscript)
      expect(operation.data.safeParse(JSON.parse(text).data).error).toBeUndefined()
    else if (operation.answers === 'bare')
      expect(operation.data.safeParse(JSON.parse(text)).error).toBeUndefined()
    else expect(text.length).toBeGreaterThan(0)
  })
})

describe('in TypeScript', () => {
  beforeAll(async () => {
    for (const { operation } of all)
      await writeFile(join(folder, `${operation.id}.ts`), await workable(operation, 'TypeScript'))
  })

  it('every sample compiles, and a wrong one would not', async () => {
    const opening = samples.get('getAgent')?.[1]?.source.split('\nconst agent')[0]
    await writeFile(join(folder, 'wrong.ts'), `${opening}\nawait parley.agents.create({ llm_agent: {} })\n`)
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          skipLibCheck: true,
          target: 'esnext',
          module: 'nodenext',
          allowImportingTsExtensions: true,
          types: ['node'],
          typeRoots: [`${root}node_modules/@types`],
        },
        files: [...all.map(({ operation }) => `${operation.id}.ts`), 'wrong.ts'],
      }),
    )
    const { output } = await runProgram('tsc', ['-p', folder, '--pretty', 'false'])
    const faulty = output.split('\n').filter((line) => /error TS/.test(line))
    expect(
      faulty.map((line) => /([\w-]+)\.ts\(/.exec(line)?.[1] ?? line),
      output,
    ).toEqual(['wrong'])
  })

  it('every sample runs', async () => {
    const ids = all.map(({ operation }) => operation.id)
    // One process for all of them; each is awaited to its end.
    const runner = `for (const id of ${JSON.stringify(ids)})
      await import('./' + id + '.ts').then(() => console.log('ran', id), (error) => console.log('failed', id, error))`
    await writeFile(join(folder, 'run-all.ts'), runner)
    const { output } = await run(process.execPath, ['run-all.ts'])
    expect(
      [...output.matchAll(/^ran (\w+)$/gm)].map(([, id]) => id),
      output,
    ).toEqual(ids)
  })
})
