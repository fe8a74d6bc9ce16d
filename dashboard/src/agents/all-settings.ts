// Every setting that is described, whichever tab shows it.
import type { Setting } from './setting.ts'
import {
  endSettings,
  fillerSettings,
  memorySettings,
  railSettings,
  recordingSettings,
  silenceSettings,
  turnSettings,
} from './tabs/conversation-settings.ts'
import { modelBasics, modelDetails, modelServer } from './tabs/model-settings.ts'
import {
  analysisFlags,
  analysisPrompts,
  numberDetails,
  qualitySettings,
  telephoneSettings,
  timezoneSetting,
  webhookSetting,
} from './tabs/other-settings.ts'
import { hearingBasics, hearingDetails, speakingDetails } from './tabs/voice-settings.ts'

export const allSettings: readonly Setting[] = [
  ...[...turnSettings, ...silenceSettings, ...endSettings, ...fillerSettings, ...railSettings],
  ...[...recordingSettings, ...memorySettings, ...modelBasics, ...modelServer, ...modelDetails],
  ...[...speakingDetails, ...hearingBasics, ...hearingDetails, ...telephoneSettings, ...numberDetails],
  ...[...analysisFlags, ...analysisPrompts, ...qualitySettings, timezoneSetting, webhookSetting],
]
