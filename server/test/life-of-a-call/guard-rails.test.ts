// Guard rails of whole calls: what is masked is nowhere to be found, neither in the database nor on disk nor in the sound.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { moonshine, silero } from '../../src/engines/models/catalogue.ts'
import { pronunciation } from '../../src/engines/models/kokoro.ts'
import { moonshineTranscriber } from '../../src/engines/moonshine/moonshine.ts'
import { modelsAtHand } from '../props/engines/models-at-hand.ts'
import { type ModelServer, openModelServer } from '../props/servers/model-server.ts'
import { describeUnless } from '../props/unless.ts'
import { newAgent, reaches } from '../support/call-fixture.ts'
import { wordsIn } from '../support/recording/hear-back.ts'
import { loudIntervals } from '../support/recording/intervals.ts'
import { readRecording } from '../support/recording/recording.ts'
import { openService, type TestService } from '../support/service.ts'
import { openVirtualRunner } from '../support/virtual-runner.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine, pronunciation)

/** After a question for a card, its first digits are enough: the call is short, because it is really spoken. */
const digits = 'four two four two'
/** As digits or in words, however a recogniser spells them. */
const someOfThem =
  /(?:42[\s,.-]*){4}|(?:4[\s,.-]+2[\s,.-]+){2}|(?:four|for)\W+(?:two|to|too)\W+(?:four|for)\W+(?:two|to|too)/i

describeUnless(absent, 'a call with guard rails', () => {
  let service: TestService
  let server: ModelServer

  beforeAll(async () => {
    server = await openModelServer()
    service = await openService(
      {
        PARLEY_MODELS_DIR: folder,
        PARLEY_TTS: 'wren',
        PARLEY_DRAIN_SECONDS: '1',
        PARLEY_LLM_BASE_URL: server.baseUrl,
        PARLEY_LLM_MODEL: 'm',
      },
      undefined,
      openVirtualRunner,
    )
  })
  afterAll(async () => {
    await service?.close()
    await server?.close()
  })

  const callTo = async (agent: object, steps: readonly object[]) => {
    const agent_id = await newAgent(service, { agent_prompt: 'You take payments.', ...agent })
    const metadata = { sandbox: { ring_ms: 0, steps } }
    const body = { agent_id, to_phone_number: '+15550100', metadata }
    const { session_id } = (await service.ask('POST', '/calls', { body })).body.data
    return reaches(service, session_id, 'completed', 'failed')
  }

  /** Every row of every table, as text; but for the script of the simulated caller. */
  const everythingStored = async (): Promise<string> => {
    const tables = await service.database.query<{ table_name: string }>(
      `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    )
    const rows = await Promise.all(
      tables.map(({ table_name }) =>
        service.database.query(`SELECT (to_jsonb(t) - 'metadata')::text AS t FROM "${table_name}" AS t`),
      ),
    )
    return JSON.stringify(rows)
  }

  it('masks a card number in the record, the events, the log and the recording, and says nothing that it must not', async () => {
    server.answers.splice(
      0,
      server.answers.length,
      {
        words: ['I have four two four two. ', 'Which day?'],
      },
      { words: ['We guaran', 'tee that. Good-bye.'] },
    )
    const call = await callTo(
      {
        agent_welcome_message: 'What is your card number?',
        api_tools: {
          guard_rails: { mask: ['card_number'], never_say: ['guarantee*'], replacement: 'Good-bye.' },
        },
      },
      [
        { say: `Yes of course, I have it here, it is ${digits}` },
        { wait_for: 'agent_done', say: 'Come on Monday' },
        { wait_for: 'agent_done', hang_up: true, after_ms: 300 },
      ],
    )
    expect(call).toMatchObject({ call_status: 'completed', error_message: null })
    expect(JSON.stringify(server.asked)).toMatch(someOfThem)
    const said = call.transcript.map(
      (line: { role: string; content: string }) => `${line.role}: ${line.content}`,
    )
    expect(said).toContainEqual(expect.stringMatching(/^user: .*\[card number\]/))
    expect(said).toContainEqual(expect.stringMatching(/^agent: I have \[card number\]/))
    expect(said.join()).toMatch(/Monday/i)
    expect(said.at(-1)).toBe('agent: Good-bye.')
    const notes = await service.database.query<{ note: string }>(
      `SELECT data ->> 'note' AS note FROM call_events WHERE type = 'note' AND session_id = $1`,
      [call.session_id],
    )
    expect(notes.map(({ note }) => note)).toContain('A guard rail held back “guarantee*”.')

    expect((await everythingStored()).match(someOfThem)).toBeNull()
    expect(service.log.join('\n').match(someOfThem)).toBeNull()
    const files = await readdir(join(service.dataDir, 'recordings'))
    expect(files).toEqual([`${call.session_id}.wav`])

    const wav = readRecording(await readFile(join(service.dataDir, 'recordings', `${call.session_id}.wav`)))
    const ear = moonshineTranscriber({ folder })
    const heard = async (side: Int16Array) =>
      (await wordsIn(ear, loudIntervals(side, wav.rateHz), side, wav.rateHz))
        .map(({ text }) => text)
        .join(' ')
    const [caller, agent] = [await heard(wav.caller), await heard(wav.agent)]
    await ear.close()
    expect([caller, agent].join(' | ')).not.toMatch(someOfThem)
    expect(caller).toMatch(/Monday/i)
    // The tone covers the words of the number, not all that the caller said.
    expect(caller).toMatch(/course/i)
    expect(agent).toMatch(/card number/i)
    expect(agent).toMatch(/good.?by/i)
  })

  it('recording off: nothing is kept of the sound, whatever the caller asks for', async () => {
    const before = await readdir(join(service.dataDir, 'recordings'))
    server.answers.splice(0, server.answers.length, { words: ['Certainly.'] })
    const agent = {
      agent_welcome_message: 'How can I help?',
      api_tools: { guard_rails: { recording: 'off', consent: { question: 'May I record this?' } } },
    }
    const steps = [
      { say: 'Please record this call' },
      { wait_for: 'agent_done', hang_up: true, after_ms: 300 },
    ]
    const call = await callTo(agent, steps)
    expect(call).toMatchObject({ call_status: 'completed', recording: { url: null, expiry: null } })
    const said = call.transcript.map(({ content }: { content: string }) => content)
    expect(said).not.toContain('May I record this?')
    expect(said).toContain('Certainly.')
    expect(await readdir(join(service.dataDir, 'recordings'))).toEqual(before)
    const stored = await service.database.query('SELECT recording FROM calls WHERE session_id = $1', [
      call.session_id,
    ])
    expect(stored).toEqual([{ recording: null }])
  })

  it('a rail that is written wrongly is refused, by its field', async () => {
    const agent_config = {
      agent_name: 'A',
      llm_agent: {},
      api_tools: {
        guard_rails: { mask: ['cards'], recordings: 'off' },
        quality: { rubric: [{ name: 'a' }] },
      },
    }
    const { status, body } = await service.ask('POST', '/agents', { body: { agent_config } })
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.details).toEqual([
      {
        path: 'agent_config.api_tools.guard_rails.mask',
        message: expect.stringContaining('"all" or a list of card_number'),
      },
      { path: 'agent_config.api_tools.guard_rails', message: expect.stringContaining('no key recordings') },
      { path: 'agent_config.api_tools.quality.rubric.0.question', message: 'Must be a text.' },
    ])
  })
})
