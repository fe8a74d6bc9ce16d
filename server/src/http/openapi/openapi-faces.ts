// What the two interfaces have of their own in their documents: the address, the key, the headers, the refusals.
import { limits, mountPaths } from '@parley/contract'
import { type Face, statuses } from './openapi-face.ts'
import { parleyClient, speechClient } from './openapi-typescript.ts'

export const voiceFace: Face = {
  prefix: mountPaths.voice,
  info: {
    title: 'Parley Voice AI',
    summary: 'Voice agents on your own machines.',
    description:
      'Every request carries an API key. A key bound to a workspace brings its scope along; an unbound key names a workspace in X-Workspace-Id. Every POST carries an Idempotency-Key; a repeated one within 24 hours gets the first answer again. A refusal has a `code`: [all of them](/docs/errors), with cause and remedy. Samples are for a service on this machine, with the key of a workspace in `$KEY`. [Speech-to-text](/docs/reference/speech) has a reference of its own.',
  },
  key: {
    name: 'X-Api-Key',
    description: 'Also accepted: svc-api-key, x-svc-api-key, and a raw Authorization header. Never Bearer.',
  },
  parameters: {
    WorkspaceId: {
      name: 'X-Workspace-Id',
      in: 'header',
      required: false,
      description: 'The workspace; required for a key that is not bound to one.',
      schema: { type: 'string', format: 'uuid', maxLength: 36 },
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: true,
      description: 'Unique per logical operation; reuse it only to retry.',
      schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyCharacters, pattern: '\\S' },
    },
    LastEventId: {
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      description: 'The id of the last event that was seen: only those after it are told.',
      schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647 },
    },
  },
  parametersOf: ({ method, answers }) => [
    'WorkspaceId',
    ...(method === 'POST' ? ['IdempotencyKey'] : []),
    ...(answers === 'event-stream' ? ['LastEventId'] : []),
  ],
  refusals: statuses,
  tags: {
    Agents: {
      description:
        'An agent is a configuration that can hold a conversation: what it says, thinks with, hears and speaks with. Create one, then let it call somebody with `placeCall` or talk in a browser with `startWebCall`.',
      guide: 'language-models',
    },
    Calls: {
      description:
        'One conversation of an agent, over a telephone line or in a browser: placed, watched while it lasts, and read afterwards with its transcript, recording and analysis.',
      guide: 'calls',
    },
    Voices: {
      description:
        'What an agent can sound like without an account at a vendor. An agent names one in `synthesizer.provider_config.voice`.',
      guide: 'voices',
    },
    Models: {
      description:
        'What an agent can think with: the model of this installation, or one of a vendor that it names in `llm_agent.llm_config`.',
      guide: 'language-models',
    },
    'Batch calls': {
      description:
        'Lists of up to 100,000 recipients whom one agent calls, within hours and limits of your choice. Each attempt is a call of its own, in `listCalls`.',
      guide: 'batches',
    },
    'Phone numbers': {
      description:
        'The telephone numbers of the workspace, with the SIP trunk or the PBX that carries their calls. Agents call from them, and an agent takes the calls that come in by one.',
      guide: 'phone-numbers',
    },
    Tools: {
      description:
        'What agents can do besides talking: requests to servers of yours, the tools of MCP servers, and the tools of the call itself. An agent names them in `tool_definition_ids`.',
      guide: 'tools',
    },
    Credentials: {
      description:
        'Keys of the workspace for the vendors that listen and speak in its calls. They are encrypted, tried when they are stored, and never given back.',
      guide: 'vendors',
    },
    Pronunciations: {
      description:
        'How names and words are said in calls, by respelling or by phonemes: a dictionary for the workspace, with entries for single agents and languages. Transcripts keep what was written.',
      guide: 'pronunciation',
    },
    'Knowledge base': {
      description:
        'Repositories of documents that agents look up what callers ask in: files, texts, pages and sites, cut into passages and found by meaning and by words. An agent names them in `repository_ids`.',
      guide: 'knowledge',
    },
    Webhooks: {
      description:
        'Endpoints of yours that get a signed POST when a call has finished, and the log of what was delivered to them.',
      guide: 'receiving-events',
    },
    Usage: {
      description:
        'What the calls of the workspace have used and cost, how many there are at once, the limits on both, and notices of limits that stopped calls.',
      guide: 'usage',
    },
    Callers: {
      description:
        'The people that agents talk to, by their number: what is known of them, what agents remember from call to call, and how all of it is erased.',
      guide: 'callers',
    },
  },
  client: parleyClient,
  replays: true,
}

export const transcriptionFace: Face = {
  prefix: mountPaths.transcripts,
  info: {
    title: 'Parley speech-to-text',
    summary: 'Recordings in, transcripts out, on your own machines.',
    description:
      'Every request carries an API key as the value of the Authorization header, without a scheme. The key says which workspace it is about: the one it is bound to, or the oldest that it may enter. Workspace and idempotency headers are not read. A refusal has a `code`: [all of them](/docs/errors), with cause and remedy. Samples are for a service on this machine, with a key in `$KEY`. [Agents, calls and webhooks](/docs/reference) have a reference of their own.',
  },
  key: { name: 'Authorization', description: 'The key itself. Never Bearer.' },
  parameters: {},
  parametersOf: () => [],
  refusals: [400, 401, 403, 404, 429, 500],
  tags: {
    Files: {
      description:
        'Recordings that were uploaded, to be transcribed with `createTranscript`. They are kept for some days.',
      guide: 'speech-to-text',
    },
    Transcripts: {
      description:
        'What was said in a recording, with times, speakers and subtitles: in one request with `transcribeNow`, or in the background with `createTranscript`.',
      guide: 'speech-to-text',
    },
    Callbacks: {
      description:
        'The secret that signs the POST to the `callback_url` of a transcript; receivers check it like the event of a call.',
      guide: 'receiving-events',
    },
  },
  client: speechClient,
  replays: false,
}
