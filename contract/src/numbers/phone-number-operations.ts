// The operations on telephone numbers.
import { z } from 'zod'
import { voiceAddresses } from '../addresses.ts'
import { exampleIds, exampleTimes, onePage } from '../example-values.ts'
import { operation } from '../operation.ts'
import { PageQuery, pageOf } from '../pagination.ts'
import { Id } from '../words.ts'
import {
  NewPhoneNumber,
  NumberCheck,
  NumberProvider,
  NumberStatus,
  PhoneNumberChange,
  StoredPhoneNumber,
} from './phone-number.ts'

const ById = z.strictObject({
  id: Id.describe('The phone_number_id that `createPhoneNumber` answered with.'),
})
const tag = 'Phone numbers'
const byNumber = { params: { id: exampleIds.phoneNumber } }

const number = {
  phone_number_id: exampleIds.phoneNumber,
  phone_number: '+4930901820',
  provider: 'sip',
  label: 'Front desk',
  inbound_agent_id: null,
  outbound_agent_id: null,
  status: 'active',
  max_concurrency: 10,
  credentials: {
    host: 'sip.example.com',
    port: null,
    transport: 'tls',
    username: 'maple-dental',
    password: 'r4n…w9Qz',
    register: true,
    inbound_allow: ['203.0.113.0/24'],
    codecs: ['opus', 'G722', 'PCMU', 'PCMA'],
    headers: {},
    srtp: 'optional',
    symmetric_rtp: true,
    from_user: null,
    identity_header: 'P-Asserted-Identity',
    number_format: 'e164',
    prefixes: [],
    inbound_users: [],
    caller_verification: 'off',
    full_status: 503,
    unanswered_status: 480,
  },
  registration: { state: 'registered', reason: null, since: exampleTimes.created },
  created_at: exampleTimes.created,
  updated_at: exampleTimes.created,
}

export const createPhoneNumber = operation({
  ...voiceAddresses.createPhoneNumber,
  tag,
  summary: 'Store a number and its trunk',
  description:
    'From now on agents can call from this number, and `inbound_agent_id` takes the calls that come in by it. A number is stored once in a workspace: a second time is PHONE_NUMBER_EXISTS. Hosts in a private network have to be in PARLEY_TRUSTED_HOSTS. Whether the trunk answers is what `checkPhoneNumber` says; the [guide](/docs/guide/phone-numbers) has every field.',
  body: NewPhoneNumber,
  status: 201,
  data: StoredPhoneNumber,
  example: {
    body: {
      phone_number: number.phone_number,
      provider: 'sip',
      label: number.label,
      max_concurrency: 10,
      credentials: {
        host: 'sip.example.com',
        transport: 'tls',
        username: 'maple-dental',
        password: 'r4nd0m-and-long-w9Qz',
        register: true,
        inbound_allow: ['203.0.113.0/24'],
        srtp: 'optional',
      },
    },
    data: { ...number, registration: null },
  },
})

export const listPhoneNumbers = operation({
  ...voiceAddresses.listPhoneNumbers,
  tag,
  summary: 'List the numbers of the workspace, newest first',
  description:
    'Each with its trunk; passwords and the values of headers are shown by their ends. A call that names no number, and whose agent has none, goes out from the oldest active number with a trunk.',
  query: PageQuery.extend({
    provider: NumberProvider.optional().describe('Only numbers of this provider. Left out: all.'),
    status: NumberStatus.optional().describe('Only numbers with this status. Left out: all.'),
  }),
  data: pageOf(StoredPhoneNumber),
  example: { query: { provider: 'sip' }, data: onePage(number) },
})

export const getPhoneNumber = operation({
  ...voiceAddresses.getPhoneNumber,
  tag,
  summary: 'Read one number',
  description:
    'Its agents, its limit and its trunk. Secrets are shown by their ends and cannot be read back.',
  params: ById,
  data: StoredPhoneNumber,
  example: { ...byNumber, data: number },
})

export const updatePhoneNumber = operation({
  ...voiceAddresses.updatePhoneNumber,
  tag,
  summary: 'Change a number or its trunk',
  description:
    'Changes only the keys that are sent, inside of `credentials` too, each checked as by `createPhoneNumber`. A secret that is sent back as it was shown stays what it is; another `host` needs the `password` again, so that nobody can send it elsewhere. Calls under way go on as they are. The number and its provider do not change: delete it and store another.',
  params: ById,
  body: PhoneNumberChange,
  data: StoredPhoneNumber,
  example: { ...byNumber, body: { max_concurrency: 20 }, data: { ...number, max_concurrency: 20 } },
})

export const deletePhoneNumber = operation({
  ...voiceAddresses.deletePhoneNumber,
  tag,
  summary: 'Remove a number',
  description:
    'Refused with RESOURCE_IN_USE while an agent names it, or calls or batches that have not ended use it: they would go out from another number. To stop it at once, set its status to inactive with `updatePhoneNumber`. The records of its calls stay.',
  params: ById,
  data: z.strictObject({
    phone_number_id: Id.describe('The number that was removed.'),
    deleted: z.literal(true).describe('It is removed.'),
  }),
  example: { ...byNumber, data: { phone_number_id: exampleIds.phoneNumber, deleted: true } },
})

export const checkPhoneNumber = operation({
  ...voiceAddresses.checkPhoneNumber,
  tag,
  summary: 'Ask the trunk of a number whether it is there',
  description:
    'Sends the trunk a question (OPTIONS) and looks at the registration. The 200 of this operation does not prove that the trunk works: `ok` of the answer says that, and `message` what is wrong and what to do about it. No call is placed.',
  params: ById,
  data: NumberCheck,
  example: {
    ...byNumber,
    data: {
      ok: true,
      registered: true,
      options_ms: 38,
      message: 'Registered at sip.example.com, which answered in 38 ms.',
    },
  },
})
