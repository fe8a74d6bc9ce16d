// How Google's voices write languages: always with a region, and Chinese by what is spoken.
import type { LanguageSpelling } from '../../platform/written-language.ts'

export const googleSpelling: LanguageSpelling = {
  region: 'always',
  usual: { ar: 'XA', bn: 'IN', ur: 'IN' },
  own: {
    ...{ 'zh-CN': 'cmn-CN', 'zh-TW': 'cmn-TW', 'zh-HK': 'yue-HK', 'no-NO': 'nb-NO' },
  },
}
