// All settings: their types, defaults and descriptions, a file for each chapter. docs/configuration.md is generated
// from them by `npm run docs`.
import { callSettings } from './settings/calls.ts'
import { engineSettings } from './settings/engines.ts'
import { modelSettings } from './settings/models.ts'
import { firstRunSettings, serviceSettings } from './settings/service.ts'
import { storageSettings } from './settings/storage.ts'
import { telemetrySettings } from './settings/telemetry.ts'
import { telephoneSettings } from './settings/telephones.ts'
import { transcriptSettings } from './settings/transcripts.ts'
import { vendorSettings } from './settings/vendors.ts'
import { webhookSettings } from './settings/webhooks.ts'

export const settings = {
  ...serviceSettings,
  ...firstRunSettings,
  ...storageSettings,
  ...callSettings,
  ...telephoneSettings,
  ...engineSettings,
  ...modelSettings,
  ...vendorSettings,
  ...webhookSettings,
  ...transcriptSettings,
  ...telemetrySettings,
}

/** As in docs/configuration.md. */
export const chapters = [
  {
    title: 'The service',
    lead: 'Where it listens, who does what, and how requests are limited.',
    rows: serviceSettings,
  },
  {
    title: 'The first start',
    lead: 'What is made on the first start, if it should not be random.',
    rows: firstRunSettings,
  },
  {
    title: 'Database, secret and files',
    lead: 'Where data is kept, and for how long.',
    rows: storageSettings,
  },
  {
    title: 'Calls',
    lead: 'How many there are at a time, their recordings, and calls from browsers.',
    rows: callSettings,
  },
  { title: 'Telephones', lead: 'SIP, its addresses and its sound.', rows: telephoneSettings },
  { title: 'Offline engines', lead: 'Voices and ears of this installation.', rows: engineSettings },
  {
    title: 'Language models and knowledge',
    lead: 'Who thinks, and what finds passages.',
    rows: modelSettings,
  },
  {
    title: 'Keys of vendors',
    lead: 'For all workspaces that have stored none of their own.',
    rows: vendorSettings,
  },
  { title: 'Webhooks', lead: 'How events are delivered.', rows: webhookSettings },
  { title: 'Speech to text', lead: 'Recordings and uploads.', rows: transcriptSettings },
  { title: 'Logs, traces and metrics', lead: 'What it tells about itself.', rows: telemetrySettings },
]
