// The settings of telephone calls, of the analysis, and of what surrounds an agent.
import type { Setting } from '../setting.ts'

const phone = (key: string) => `api_tools.telephone.${key}`

export const telephoneSettings: readonly Setting[] = [
  {
    is: 'number',
    path: phone('ring_timeout_seconds'),
    label: 'Let it ring for',
    unit: 'seconds',
    least: 5,
    most: 300,
    help: 'Then an unanswered call is given up. Left empty: 60 seconds.',
  },
  {
    is: 'choice',
    path: phone('voicemail.action'),
    label: 'On a voicemail box',
    usual: 'leave the message if there is one',
    options: { hang_up: 'Hang up', leave_message: 'Leave the message', go_on: 'Go on as with a person' },
    help: 'When a machine picks up.',
  },
  {
    is: 'area',
    path: phone('voicemail.message'),
    label: 'Message for voicemail',
    usual: 'none',
    help: 'Spoken after the beep. {variables} are filled.',
  },
  {
    is: 'area',
    path: phone('screening.answer'),
    label: 'Answer to a screening service',
    usual: 'the welcome message',
    help: 'Who calls and why, in one sentence.',
  },
  {
    is: 'number',
    path: phone('digits.pause_seconds'),
    label: 'Pause that ends key entry',
    unit: 'seconds',
    least: 0.5,
    most: 30,
    fraction: true,
    help: 'After it, the keys that a caller pressed are complete. Left empty: 2 seconds.',
  },
  {
    is: 'text',
    path: phone('digits.end_key'),
    label: 'Key that ends key entry',
    usual: '#',
    help: 'One key: 0–9, * or #.',
  },
  {
    is: 'number',
    path: phone('digits.count'),
    label: 'Most keys',
    unit: 'keys',
    least: 1,
    most: 64,
    help: 'A menu of single keys wants 1. Left empty: no limit.',
  },
]

export const numberDetails: readonly Setting[] = [
  {
    is: 'choice',
    path: 'call_type',
    label: 'Direction',
    usual: 'both',
    options: { inbound: 'Inbound', outbound: 'Outbound' },
    help: 'Your own note: any agent takes calls in both directions.',
  },
  { is: 'text', path: 'phone_number', label: 'Number', help: 'Your own note: a call names its own numbers.' },
  {
    is: 'text',
    path: 'provider',
    label: 'Carrier',
    help: 'Your own note: the number that is called decides.',
  },
]

const analysis = (key: string) => `call_analysis_config.${key}`

export const analysisFlags: readonly Setting[] = [
  {
    is: 'flag',
    path: analysis('summary'),
    label: 'Summary',
    usual: false,
    help: 'A few sentences about the call.',
  },
  {
    is: 'flag',
    path: analysis('sentiment'),
    label: 'Mood of the caller',
    usual: false,
    help: 'Positive, neutral or negative, and why.',
  },
  {
    is: 'flag',
    path: analysis('data_extraction'),
    label: 'Values',
    usual: false,
    help: 'Finds the values that are listed below.',
  },
]

export const analysisPrompts: readonly Setting[] = [
  {
    is: 'area',
    path: analysis('summary_prompt'),
    label: 'How to summarise',
    usual: 'a few sentences',
    help: 'Only a language model follows it.',
  },
  {
    is: 'area',
    path: analysis('sentiment_prompt'),
    label: 'How to judge the mood',
    usual: 'as usual',
    help: 'Only a language model follows it.',
  },
]

export const qualitySettings: readonly Setting[] = [
  {
    is: 'number',
    path: 'api_tools.quality.pass_score',
    label: 'Passes from',
    unit: 'of 100',
    most: 100,
    fraction: true,
    help: 'The lowest score that counts as good. Left empty: 70.',
  },
]

export const webhookSetting: Setting = {
  is: 'url',
  path: 'webhook_url',
  label: 'Older webhook',
  usual: 'none',
  blank: null,
  help: 'One unsigned POST after each call, in one attempt. The Webhooks page has signed deliveries with retries.',
}

export const zones = {
  IST: 'India (IST)',
  UTC: 'UTC',
  EST: 'New York (EST)',
  CST: 'Chicago (CST)',
  PST: 'Los Angeles (PST)',
  GMT: 'London (GMT)',
  CET: 'Central Europe (CET)',
  GST: 'Gulf (GST)',
  SGT: 'Singapore (SGT)',
  JST: 'Japan (JST)',
  AEST: 'Sydney (AEST)',
  IST_IRAN: 'Iran (IST_IRAN)',
  PKT: 'Pakistan (PKT)',
  BDT: 'Bangladesh (BDT)',
}

export const timezoneSetting: Setting = {
  is: 'choice',
  path: 'timezone',
  label: 'Time zone',
  usual: 'UTC',
  options: zones,
  help: 'For {current_date} and {current_time}, and for dates in the analysis.',
}
