import * as sdk from '@parley/sdk'
import * as listen from '@parley/sdk/listen'
import * as webhooks from '@parley/sdk/webhooks'
import scenario from './scenario.cjs'

await scenario({ sdk, webhooks, listen })
