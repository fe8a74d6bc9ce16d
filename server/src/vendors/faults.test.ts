// Every company of the contract that hears, speaks or thinks in calls, through every fault: a new one comes by its row.
import { llmProviders, synthesizerNames, transcriberNames } from '@parley/contract/companies'
import { earsFaults, hearThrough } from '../../test/props/vendors/ears-faults.ts'
import { faultsSuite } from '../../test/props/vendors/faults-suite.ts'
import { modelFaults, thinkThrough } from '../../test/props/vendors/model-faults.ts'
import { speakThrough, voiceFaults } from '../../test/props/vendors/voice-faults.ts'

faultsSuite({ service: 'hears', names: transcriberNames, faults: earsFaults, callThrough: hearThrough })
faultsSuite({ service: 'speaks', names: synthesizerNames, faults: voiceFaults, callThrough: speakThrough })
faultsSuite({ service: 'thinks', names: llmProviders, faults: modelFaults, callThrough: thinkThrough })
