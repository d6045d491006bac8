import type { Stats } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Finding, findingsOf } from './finding.ts'

export interface DataDirectoryFacts {
  readonly dataDir: string
  /** The embedded store, wherever it is; null when a server keeps the store. */
  readonly storeFile: string | null
  /** Whether the gateway keeps its secret there. */
  readonly holdsSecret: boolean
  readonly holdsOutbox: boolean
}

const { ok, warning, failure } = findingsOf('data directory')

/** Whether the directory is there, can be written to, and shows its secrets to nobody else. */
export async function checkDataDirectory(facts: DataDirectoryFacts): Promise<Finding[]> {
  const { dataDir, storeFile, holdsSecret, holdsOutbox } = facts
  const directory = await look(dataDir)
  if (!directory) {
    const isNeeded = storeFile !== null || holdsSecret || holdsOutbox
    return [
      isNeeded
        ? warning(`${dataDir} does not exist`, 'The gateway makes it at its first start; else set GATEWAY_DATA_DIR.')
        : ok('not needed: nothing is kept there'),
    ]
  }
  if (!directory.isDirectory()) return [failure(`${dataDir} is no directory`, 'Set GATEWAY_DATA_DIR to a directory.')]

  const findings = [...owner(dataDir, directory), ...privacy(dataDir, directory, '700')]
  const isWritable = await access(dataDir, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable) {
    findings.push(
      failure(`${dataDir} cannot be written to`, 'Run as the user that owns it, or correct its permissions.'),
    )
  }
  const files = [join(dataDir, 'secret'), join(dataDir, 'sms-outbox.jsonl'), ...(storeFile ? [storeFile] : [])]
  for (const file of files) {
    const stats = await look(file)
    if (stats) findings.push(...owner(file, stats), ...privacy(file, stats, '600'))
  }
  if (holdsSecret && !(await look(join(dataDir, 'secret')))) {
    findings.push(
      warning(
        'there is no secret yet',
        'The gateway makes it at its first start; where accounts exist already, bring the old one back.',
      ),
    )
  }
  return findings.length > 0 ? findings : [ok(`${dataDir} is private and can be written to`)]
}

const look = (path: string): Promise<Stats | null> => stat(path).catch(() => null)

/** A file that another user makes is one that the gateway cannot open. */
function owner(path: string, { uid }: Stats): Finding[] {
  const user = process.getuid?.()
  if (user === undefined || uid === user) return []
  return [warning(`${path} belongs to another user`, 'Run this command as the user that runs the gateway.')]
}

function privacy(path: string, { mode }: Stats, wanted: string): Finding[] {
  if (process.platform === 'win32' || (mode & 0o077) === 0) return []
  return [warning(`${path} can be read by other users`, `Run: chmod ${wanted} ${path}`)]
}
