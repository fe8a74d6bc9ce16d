// Detects a file's format from its first bytes. Name and declared type are ignored: a playlist, which makes ffmpeg open
// other files and addresses, must never reach a demuxer that understands it.
import type { SoundRefusal } from '../../ports/sound-decoder.ts'

/** The ffmpeg demuxer to force, and the format's name in the API. */
export interface Container {
  readonly demuxer: string
  readonly mediaType: string
}

/** The facts about a file that are known before decoding. */
export interface FileFacts extends Container {
  readonly ok: true
  readonly durationSeconds: number | null
  /** The duration that the file itself states; null if it is an estimate. */
  readonly statedSeconds: number | null
}

export type FileProbe = ({ readonly ok: true } & Container) | SoundRefusal

/** Enough for three packets of an MPEG transport stream, and for every magic number. */
export const sniffedBytes = 4_096

type Test = (head: Buffer) => boolean

const at =
  (place: number, magic: string): Test =>
  (head) =>
    head.subarray(place, place + magic.length).equals(Buffer.from(magic, 'latin1'))
const both =
  (...tests: Test[]): Test =>
  (head) =>
    tests.every((test) => test(head))
const any =
  (...tests: Test[]): Test =>
  (head) =>
    tests.some((test) => test(head))

/** Tests for a sync word (11 bits), then a valid version, layer, bit rate and sample rate. */
const mpegAudio: Test = (head) =>
  head.length >= 4 &&
  head[0] === 0xff &&
  ((head[1] as number) & 0xe0) === 0xe0 &&
  ((head[1] as number) & 0x18) !== 0x08 &&
  ((head[1] as number) & 0x06) !== 0 &&
  ((head[2] as number) & 0xf0) !== 0xf0 &&
  ((head[2] as number) & 0x0c) !== 0x0c
/** Tests for the same sync word with layer 0. */
const adts: Test = (head) => head.length >= 7 && head[0] === 0xff && ((head[1] as number) & 0xf6) === 0xf0
const transportStream: Test = (head) =>
  head[0] === 0x47 && head[188] === 0x47 && (head.length < 377 || head[376] === 0x47)
// Tests for a QuickTime box: its size, then its type.
const movBoxes = ['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].map((name) => at(4, name))

const containers: readonly (readonly [Test, string, string])[] = [
  [both(any(at(0, 'RIFF'), at(0, 'RF64')), at(8, 'WAVE')), 'wav', 'audio/wav'],
  [at(0, 'riff\x2e\x91\xcf\x11'), 'w64', 'audio/x-w64'],
  [both(at(0, 'RIFF'), at(8, 'AVI ')), 'avi', 'video/x-msvideo'],
  [at(0, 'fLaC'), 'flac', 'audio/flac'],
  [at(0, 'OggS'), 'ogg', 'audio/ogg'],
  [at(0, '\x1a\x45\xdf\xa3'), 'matroska', 'video/webm'],
  [any(...movBoxes), 'mov', 'video/mp4'],
  [both(at(0, 'FORM'), any(at(8, 'AIFF'), at(8, 'AIFC'))), 'aiff', 'audio/aiff'],
  [at(0, '.snd'), 'au', 'audio/basic'],
  [at(0, '#!AMR'), 'amr', 'audio/amr'],
  [at(0, 'caff'), 'caf', 'audio/x-caf'],
  [at(0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11'), 'asf', 'video/x-ms-asf'],
  [at(0, 'FLV\x01'), 'flv', 'video/x-flv'],
  [at(0, '\x00\x00\x01\xba'), 'mpeg', 'video/mpeg'],
  [transportStream, 'mpegts', 'video/mp2t'],
  [at(0, 'wvpk'), 'wv', 'audio/x-wavpack'],
  [at(0, 'MAC '), 'ape', 'audio/x-ape'],
  [at(0, 'TTA1'), 'tta', 'audio/x-tta'],
  [at(0, '\x0b\x77'), 'ac3', 'audio/ac3'],
  [adts, 'aac', 'audio/aac'],
  [mpegAudio, 'mp3', 'audio/mpeg'],
]

const strangers: readonly (readonly [Test, string])[] = [
  [any(at(0, '#EXTM3U'), at(0, '[playlist]'), at(0, 'ffconcat')), 'a playlist, which only names other files'],
  [any(at(0, 'v=0'), at(0, '<?xml'), at(0, '<MPD'), at(0, '<smil')), 'a description of other files'],
  [any(at(0, '\x89PNG'), at(0, '\xff\xd8\xff'), at(0, 'GIF8'), at(0, 'BM')), 'a picture'],
  [at(0, '%PDF'), 'a PDF document'],
  [any(at(0, 'PK\x03\x04'), at(0, '\x1f\x8b'), at(0, '7z\xbc\xaf')), 'an archive'],
]

export const refuse = (reason: string): SoundRefusal => ({ ok: false, reason })

export function sniff(head: Buffer): FileProbe {
  if (head.length === 0) return refuse('The file is empty.')
  const text = withoutMark(head)
  const stranger = strangers.find(([test]) => test(text))
  if (stranger) return refuse(`This is ${stranger[1]}; send the recording itself.`)
  const [, demuxer, mediaType] = containers.find(([test]) => test(afterTag(head))) ?? []
  if (demuxer && mediaType) return { ok: true, demuxer, mediaType }
  if (at(0, 'ID3')(head)) return { ok: true, demuxer: 'mp3', mediaType: 'audio/mpeg' }
  return refuse(
    'This is not a recording of a kind that can be read: no known audio or video format begins like this.',
  )
}

/** Playlists may begin with a byte order mark or white space. */
const withoutMark = (head: Buffer): Buffer =>
  Buffer.from(head.toString('latin1').replace(/^(\xef\xbb\xbf)?\s*/, ''), 'latin1')

/** Skips an ID3 tag, as found before MP3, AAC and FLAC: ten bytes, the last four of them the size in 7-bit digits. */
function afterTag(head: Buffer): Buffer {
  if (!at(0, 'ID3')(head) || head.length < 10) return head
  const size = [6, 7, 8, 9].reduce((sum, place) => sum * 128 + ((head[place] as number) & 0x7f), 0)
  return head.subarray(10 + size)
}
