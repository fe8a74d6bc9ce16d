// All settings: their types, defaults and descriptions, a file for each chapter. docs/configuration.md is generated
// from them by `npm run docs`.
import { callSettings } from './settings/calls.ts'
import { engines } from './settings/engines.ts'
import { models } from './settings/models.ts'
import { firstRun, service } from './settings/service.ts'
import { storage } from './settings/storage.ts'
import { telemetry } from './settings/telemetry.ts'
import { telephones } from './settings/telephones.ts'
import { transcripts } from './settings/transcripts.ts'
import { vendors } from './settings/vendors.ts'
import { webhookSettings } from './settings/webhooks.ts'

export const settings = {
  ...service,
  ...firstRun,
  ...storage,
  ...callSettings,
  ...telephones,
  ...engines,
  ...models,
  ...vendors,
  ...webhookSettings,
  ...transcripts,
  ...telemetry,
}

/** As in docs/configuration.md. */
export const chapters = [
  {
    title: 'The service',
    lead: 'Where it listens, who does what, and how requests are limited.',
    rows: service,
  },
  {
    title: 'The first start',
    lead: 'What is made on the first start, if it should not be random.',
    rows: firstRun,
  },
  { title: 'Database, secret and files', lead: 'Where data is kept, and for how long.', rows: storage },
  {
    title: 'Calls',
    lead: 'How many there are at a time, their recordings, and calls from browsers.',
    rows: callSettings,
  },
  { title: 'Telephones', lead: 'SIP, its addresses and its sound.', rows: telephones },
  { title: 'Offline engines', lead: 'Voices and ears of this installation.', rows: engines },
  { title: 'Language models and knowledge', lead: 'Who thinks, and what finds passages.', rows: models },
  { title: 'Keys of vendors', lead: 'For all workspaces that have stored none of their own.', rows: vendors },
  { title: 'Webhooks', lead: 'How events are delivered.', rows: webhookSettings },
  { title: 'Speech to text', lead: 'Recordings and uploads.', rows: transcripts },
  { title: 'Logs, traces and metrics', lead: 'What it tells about itself.', rows: telemetry },
]
