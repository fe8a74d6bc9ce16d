// Where the files of an installation are: each kind in a folder of the data directory, or under a prefix of the bucket.
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { openFileStorage } from './file-storage.ts'
import { openS3Storage } from './s3-storage.ts'
import type { Storage } from './storage.ts'

const kinds = {
  recordings: { folder: 'recordings', prefix: '', mediaType: 'audio/wav' },
  archive: { folder: 'archive', prefix: 'archive/', mediaType: 'application/gzip' },
  'speech-cache': { folder: 'speech-cache', prefix: 'speech-cache/', mediaType: 'application/octet-stream' },
  uploads: { folder: 'uploads/files', prefix: 'uploads/', mediaType: 'application/octet-stream' },
} as const

export type StorageKind = keyof typeof kinds

type Places = Pick<Config, 'dataDir' | 's3'>

export const storageFolder = ({ dataDir }: Pick<Config, 'dataDir'>, kind: StorageKind): string =>
  join(dataDir, kinds[kind].folder)

export async function openStorage(config: Places, kind: StorageKind): Promise<Storage> {
  const { prefix, mediaType } = kinds[kind]
  const { s3 } = config
  return s3
    ? openS3Storage({ ...s3, prefix: s3.prefix + prefix }, mediaType)
    : openFileStorage(storageFolder(config, kind))
}
