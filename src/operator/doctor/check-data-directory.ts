import type { Stats } from 'node:fs'
import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Finding, findingsOf } from './finding.ts'

export interface DataDirectoryFacts {
  readonly dataDir: string
  /** The file of the embedded store; null when the store is a database server. */
  readonly storeFile: string | null
  /** Whether the secret is kept there. */
  readonly holdsSecret: boolean
  readonly holdsOutbox: boolean
}

const { ok, warning, failure } = findingsOf('data directory')

/** Checks that the directory exists, is writable, and is private to the gateway's user. */
export async function checkDataDirectory(facts: DataDirectoryFacts): Promise<Finding[]> {
  const { dataDir, storeFile, holdsSecret, holdsOutbox } = facts
  const directory = await statOrNull(dataDir)
  if (!directory) {
    const isNeeded = storeFile !== null || holdsSecret || holdsOutbox
    return [
      isNeeded
        ? warning(
            `${dataDir} does not exist`,
            'The gateway creates it at its first start; for another directory, set GATEWAY_DATA_DIR.',
          )
        : ok('not needed: nothing is kept there'),
    ]
  }
  if (!directory.isDirectory())
    return [failure(`${dataDir} is not a directory`, 'Set GATEWAY_DATA_DIR to a directory.')]

  const findings = [...checkOwner(dataDir, directory), ...checkPrivacy(dataDir, directory, '700')]
  const isWritable = await access(dataDir, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable) {
    findings.push(failure(`${dataDir} is not writable`, 'Run as the user that owns it, or fix its permissions.'))
  }
  const names = ['secret', 'sms-outbox.jsonl', 'email-outbox.jsonl']
  const files = [...names.map((name) => join(dataDir, name)), ...(storeFile ? [storeFile, `${storeFile}.lock`] : [])]
  for (const file of files) {
    const stats = await statOrNull(file)
    if (stats) findings.push(...checkOwner(file, stats), ...checkPrivacy(file, stats, '600'))
  }
  if (holdsSecret && !(await statOrNull(join(dataDir, 'secret')))) {
    findings.push(
      warning(
        'there is no secret yet',
        'The gateway creates it at its first start; if accounts already exist, put the old secret back.',
      ),
    )
  }
  return findings.length > 0 ? findings : [ok(`${dataDir} is private and writable`)]
}

/** For backups and archives that are kept there, and for the store's own growth. */
const reserveBytes = 512_000_000

/** Checks that an upgrade has room for the copy that it makes of the embedded store, beside it. A database server has its own disk. */
export async function checkDisk(
  { storeFile }: Pick<DataDirectoryFacts, 'storeFile'>,
  freeBytesOf = freeBytes,
): Promise<Finding[]> {
  if (storeFile === null || !(await statOrNull(dirname(storeFile)))) return []
  const disk = findingsOf('disk')
  const files = await Promise.all([storeFile, `${storeFile}-wal`].map(statOrNull))
  const storeBytes = files.reduce((sum, file) => sum + (file?.size ?? 0), 0)
  const neededBytes = storeBytes + reserveBytes
  const free = await freeBytesOf(dirname(storeFile))
  const needed = `${megabytes(neededBytes)} are needed: ${megabytes(storeBytes)} for the copy that an upgrade makes of the store, ${megabytes(reserveBytes)} in reserve`
  if (free >= neededBytes) return [disk.ok(`${megabytes(free)} free; ${needed}`)]
  return [
    disk.warning(
      `only ${megabytes(free)} free; ${needed}`,
      'Remove old copies, backups and archives that are kept elsewhere too, or enlarge the disk.',
    ),
  ]
}

async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_000_000)} MB`

const statOrNull = (path: string): Promise<Stats | null> => stat(path).catch(() => null)

/** The gateway cannot open files that another user creates. */
function checkOwner(path: string, { uid }: Stats): Finding[] {
  const user = process.getuid?.()
  if (user === undefined || uid === user) return []
  return [warning(`${path} belongs to another user`, 'Run this command as the user that runs the gateway.')]
}

function checkPrivacy(path: string, { mode }: Stats, wanted: string): Finding[] {
  if (process.platform === 'win32' || (mode & 0o077) === 0) return []
  return [warning(`${path} can be read by other users`, `Run: chmod ${wanted} ${path}`)]
}
