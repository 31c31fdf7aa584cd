// manifest.json of a backup: its contents, with the hashes that show that it is complete.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { CopyError } from './database-copy.js'

export const MANIFEST_FILE = 'manifest.json'
const FORMAT = 1

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/)

const manifestSchema = z.object({
  format: z.int(),
  /** Of the hub that wrote it. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  migrations: z.array(z.string()).readonly(),
  counts: z.record(z.string(), z.int()).readonly(),
  database: z.object({ bytes: z.int(), sha256: sha256Schema }),
  media: z.object({
    files: z.int(),
    bytes: z.int(),
    /** Referred to, but already gone from the disk when the backup was made. */
    missing: z.array(z.string()),
  }),
  /** Null when there was no config.json. `leftOut` names the settings that are secrets. */
  settings: z.object({ leftOut: z.array(z.string()) }).nullable(),
  /** Settings, secrets and own extensions of agents: hashes by path. Absent in backups of early versions. */
  agentSetup: z.record(z.string(), sha256Schema).exactOptional(),
})

export type BackupManifest = z.infer<typeof manifestSchema>

export function newManifest(facts: Omit<BackupManifest, 'format' | 'createdAt'>): BackupManifest {
  return { format: FORMAT, createdAt: new Date().toISOString(), ...facts }
}

/** Throws `CopyError` when it is broken or of a later format. */
export function readManifest(folder: string): BackupManifest {
  const file = join(folder, MANIFEST_FILE)
  let manifest: BackupManifest
  try {
    manifest = manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new CopyError(`${file} is not the manifest of a Quayside backup, or it is damaged.`, {
      cause: error,
    })
  }
  if (manifest.format > FORMAT)
    throw new CopyError(
      `The backup ${folder} was made by Quayside ${manifest.version} in a format that this version does not know. ` +
        'Nothing was changed. Install that version or a newer one and restore with it.',
    )
  return manifest
}
